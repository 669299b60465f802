#include "text/tokens/code_tokenizer_reference.h"

#include <algorithm>
#include <string>
#include <vector>

#include "text/tokens/code_tokenizer.h"
#include "text/tokens/tokenizer_reference.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

class ReferenceCode final : public Tokenizer {
 public:
  explicit ReferenceCode(const CodeTokens& wanted) : wanted_(wanted) {}

  void tokenize(std::string_view normalized, TokenBuffer& out) const override {
    out.clear(1);
    // U+FFFD for each malformed part; `bytes` has where each code point begins, and the end.
    std::u32string text;
    std::vector<size_t> bytes;
    for (size_t at = 0; at < normalized.size();) {
      const Decoded decoded = decode_utf8(normalized, at);
      text += decoded.code_point;
      bytes.push_back(at);
      at += decoded.length;
    }
    bytes.push_back(normalized.size());
    const auto own_bytes = [&](size_t begin, size_t end) { return normalized.substr(bytes[begin], bytes[end] - bytes[begin]); };

    for (size_t at = 0; at < text.size();) {
      const size_t begin = at;
      if (is_white_space(text[at])) {
        ++at;
      } else if ((at = comment_end(text, begin)) > begin) {
        if (wanted_.keep_comments) append_words(own_bytes(begin, at), out);
      } else if ((at = string_end(text, begin)) > begin) {
        out.append(wanted_.normalize_strings ? "\"\"" : own_bytes(begin, at));
      } else if ((at = number_end(text, begin)) > begin) {
        out.append(wanted_.normalize_numbers ? "0" : own_bytes(begin, at));
      } else if ((at = name_end(text, begin)) > begin) {
        const std::string_view name = own_bytes(begin, at);
        out.append(wanted_.normalize_identifiers && !is_code_keyword(name) ? "_" : name);
      } else {
        out.append(own_bytes(begin, ++at));
      }
    }
  }

 private:
  static bool in_name(char32_t c) { return c == '_' || c == '$' || word_class(c) != WordClass::kSeparator; }
  static bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
  static bool ends_line(char32_t c) { return c == '\n' || c == '\r'; }

  static void append_words(std::string_view comment, TokenBuffer& out) {
    TokenBuffer words;
    make_reference_tokenizer(TokenizerKind::kWords)->tokenize(comment, words);
    for (size_t i = 0; i < words.size(); ++i) out.append(words.token(i));
  }

  // Each returns `at` if nothing of its kind begins there.

  static size_t comment_end(const std::u32string& text, size_t at) {
    const auto starts = [&](const std::u32string& what) { return text.compare(at, what.size(), what) == 0; };
    const auto after = [&](size_t from, const std::u32string& closing) {
      const size_t found = text.find(closing, from);
      return found == std::u32string::npos ? text.size() : found + closing.size();
    };
    const auto line = [&] {
      size_t end = at;
      while (end < text.size() && !ends_line(text[end])) ++end;
      return end;
    };
    const bool parted = at == 0 || is_white_space(text[at - 1]);
    if (starts(U"/*")) return after(at + 2, U"*/");
    if (starts(U"<!--")) return after(at + 4, U"-->");
    if (starts(U"--[")) {
      const size_t bracket = text.find_first_not_of(U'=', at + 3);
      if (bracket != std::u32string::npos && text[bracket] == '[')
        return after(bracket + 1, U"]" + std::u32string(bracket - at - 3, U'=') + U"]");
    }
    if (starts(U"//")) return at > 0 && text[at - 1] == ':' ? at : line();
    const bool ends_after_one = at + 1 == text.size();
    if (starts(U"#")) {
      const bool code = !ends_after_one && (in_name(text[at + 1]) || text[at + 1] == '[' || text[at + 1] == '(' || text[at + 1] == '{');
      return parted && !code ? line() : at;
    }
    if (starts(U"--")) {
      const bool ends = at + 2 == text.size() || text[at + 2] == '-' || is_white_space(text[at + 2]);
      return parted && ends ? line() : at;
    }
    return at;
  }

  static size_t string_end(const std::u32string& text, size_t at) {
    const char32_t quote = text[at];
    if (quote != '"' && quote != '\'' && quote != '`') return at;
    const std::u32string three(3, quote);
    const bool is_long = quote != '`' && text.compare(at, 3, three) == 0;
    const std::u32string closing = is_long ? three : std::u32string(1, quote);
    for (size_t end = at + closing.size(); end < text.size();) {
      if (text[end] == '\\') {
        end += text.compare(end + 1, 2, U"\r\n") == 0 ? 3 : 2;
      } else if (text.compare(end, closing.size(), closing) == 0) {
        return end + closing.size();
      } else if (!is_long && ends_line(text[end])) {
        return end;
      } else {
        ++end;
      }
    }
    return text.size();
  }

  static size_t number_end(const std::u32string& text, size_t at) {
    if (!is_digit(text[at])) return at;
    const bool hexadecimal = text.compare(at, 2, U"0x") == 0 || text.compare(at, 2, U"0X") == 0;
    const std::u32string exponents = hexadecimal ? U"pP" : U"eE";
    size_t end = at;
    while (end < text.size()) {
      const bool digit_next = end + 1 < text.size() && is_digit(text[end + 1]);
      const bool sign = text[end] == '+' || text[end] == '-';
      const bool joins = digit_next && (text[end] == '.' || (sign && exponents.find(text[end - 1]) != std::u32string::npos));
      if (!in_name(text[end]) && !joins) break;
      ++end;
    }
    return end;
  }

  static size_t name_end(const std::u32string& text, size_t at) {
    while (at < text.size() && in_name(text[at])) ++at;
    return at;
  }

  const CodeTokens wanted_;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_reference_code_tokenizer(const CodeTokens& tokens) {
  return std::make_unique<ReferenceCode>(tokens);
}

}  // namespace neardup
