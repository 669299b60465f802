#include "text/tokens/code_tokenizer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

// In ascending order of bytes. Part of code_v1: docs/recipe.md lists them.
constexpr std::array kKeywords = std::to_array<std::string_view>(
    {"False",      "NULL",    "None",      "True",         "abstract", "and",    "as",       "assert",     "async",  "auto",    "await",
     "begin",      "bool",    "boolean",   "break",        "byte",     "case",   "catch",    "char",       "class",  "const",   "continue",
     "def",        "default", "defer",     "delete",       "do",       "double", "elif",     "else",       "elseif", "elsif",   "end",
     "enum",       "except",  "export",    "extends",      "extern",   "false",  "final",    "finally",    "float",  "fn",      "for",
     "foreach",    "from",    "func",      "function",     "goto",     "if",     "impl",     "implements", "import", "in",      "include",
     "instanceof", "int",     "interface", "is",           "lambda",   "let",    "local",    "long",       "loop",   "match",   "mut",
     "namespace",  "new",     "nil",       "not",          "null",     "or",     "override", "package",    "pass",   "private", "protected",
     "public",     "raise",   "repeat",    "require",      "return",   "self",   "short",    "signed",     "sizeof", "static",  "string",
     "struct",     "super",   "switch",    "synchronized", "template", "then",   "this",     "throw",      "throws", "true",    "try",
     "typedef",    "typeof",  "union",     "unless",       "unsigned", "until",  "use",      "using",      "var",    "virtual", "void",
     "volatile",   "while",   "with",      "yield"});
static_assert(std::ranges::is_sorted(kKeywords));
constexpr size_t kLongestKeyword = std::ranges::max(kKeywords, {}, &std::string_view::size).size();

enum class ByteClass : uint8_t { kOther, kWhite, kName, kDigit, kQuote, kComment, kHigh };

// kComment: may begin a comment. kHigh: begins a code point above ASCII.
constexpr std::array<ByteClass, 256> kByteClasses = [] {
  std::array<ByteClass, 256> classes{};
  for (size_t byte = 0; byte < 256; ++byte) {
    const auto c = static_cast<char32_t>(byte);
    if (c >= 0x80) {
      classes[byte] = ByteClass::kHigh;
    } else if (is_ascii_white_space(c)) {
      classes[byte] = ByteClass::kWhite;
    } else if (c >= '0' && c <= '9') {
      classes[byte] = ByteClass::kDigit;
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$') {
      classes[byte] = ByteClass::kName;
    } else if (c == '"' || c == '\'' || c == '`') {
      classes[byte] = ByteClass::kQuote;
    } else if (c == '/' || c == '#' || c == '-' || c == '<') {
      classes[byte] = ByteClass::kComment;
    }
  }
  return classes;
}();

constexpr ByteClass class_of(char byte) {
  return kByteClasses[static_cast<uint8_t>(byte)];
}

constexpr bool is_ascii_digit(char byte) {
  return class_of(byte) == ByteClass::kDigit;
}

constexpr bool is_line_end(char byte) {
  return byte == '\n' || byte == '\r';
}

// One text. Every step moves at_ forward over what it read.
class CodeLexer {
 public:
  CodeLexer(const CodeTokens& wanted, std::string_view text, TokenBuffer& out) : wanted_(wanted), text_(text), out_(out) {
    // A token is at least a byte long and is followed by a blank. Only the string of one quotation mark grows, to two: there are a line end
    // and its blank less after it, or the end of the text.
    out_.joined.resize(2 * text.size() + 4);
    out_.starts.resize(text.size() + 2);
  }

  void run() {
    while (at_ < text_.size()) {
      switch (class_of(text_[at_])) {
        case ByteClass::kWhite:
          ++at_;
          break;
        case ByteClass::kName:
          name();
          break;
        case ByteClass::kDigit:
          number();
          break;
        case ByteClass::kQuote:
          string();
          break;
        case ByteClass::kComment:
          if (!comment()) write_to(at_ + 1);
          break;
        case ByteClass::kHigh:
          high();
          break;
        case ByteClass::kOther:
          write_to(at_ + 1);
          break;
      }
    }
    out_.starts[count_] = end_;
    out_.starts.resize(count_ + 1);
    out_.joined.resize(end_ == 0 ? 0 : end_ - 1);
    out_.separator_bytes = 1;
  }

 private:
  void write(std::string_view token) {
    std::memcpy(out_.joined.data() + end_, token.data(), token.size());
    out_.starts[count_++] = end_;
    end_ += static_cast<uint32_t>(token.size());
    out_.joined[end_++] = ' ';
  }
  // The text's own bytes up to `end` are a token.
  void write_to(size_t end) {
    write(text_.substr(at_, end - at_));
    at_ = end;
  }

  [[nodiscard]] bool follows(size_t at, std::string_view what) const { return text_.substr(at).starts_with(what); }

  // Bytes of the code point at `at` if it belongs to a name, else 0.
  [[nodiscard]] size_t name_part(size_t at) const {
    if (at >= text_.size()) return 0;
    const ByteClass byte_class = class_of(text_[at]);
    if (byte_class == ByteClass::kName || byte_class == ByteClass::kDigit) return 1;
    if (byte_class != ByteClass::kHigh) return 0;
    const Decoded decoded = decode_quickly(text_, at);
    return word_class_of(decoded.code_point) != WordClass::kSeparator ? decoded.length : 0;
  }
  [[nodiscard]] WordClass word_class_of(char32_t c) const { return c < 0x10000 ? classes_[c] : word_class(c); }
  [[nodiscard]] bool white_at(size_t at) const {
    return class_of(text_[at]) == ByteClass::kHigh ? is_white_space(decode_quickly(text_, at).code_point)
                                                   : class_of(text_[at]) == ByteClass::kWhite;
  }
  // True at the beginning of the text, and after white space.
  [[nodiscard]] bool parted_before(size_t at) const {
    if (at == 0) return true;
    size_t begin = at - 1;
    while (begin > 0 && at - begin < 4 && (static_cast<uint8_t>(text_[begin]) & 0xC0) == 0x80) --begin;
    return begin + (class_of(text_[begin]) == ByteClass::kHigh ? decode_quickly(text_, begin).length : 1) == at && white_at(begin);
  }

  void name() {
    size_t end = at_;
    for (size_t length = name_part(end); length > 0; length = name_part(end)) end += length;
    const std::string_view found = text_.substr(at_, end - at_);
    write(wanted_.normalize_identifiers && !is_code_keyword(found) ? "_" : found);
    at_ = end;
  }

  void number() {
    const bool hexadecimal = text_[at_] == '0' && at_ + 1 < text_.size() && (text_[at_ + 1] == 'x' || text_[at_ + 1] == 'X');
    const auto exponent = [&](char byte) {
      const char lower = static_cast<char>(byte | 0x20);
      return class_of(byte) == ByteClass::kName && lower == (hexadecimal ? 'p' : 'e');
    };
    size_t end = at_ + 1;
    while (end < text_.size()) {
      const char byte = text_[end];
      const bool digit_next = end + 1 < text_.size() && is_ascii_digit(text_[end + 1]);
      if (digit_next && (byte == '.' || ((byte == '+' || byte == '-') && exponent(text_[end - 1])))) {
        ++end;
      } else if (const size_t length = name_part(end)) {
        end += length;
      } else {
        break;
      }
    }
    write(wanted_.normalize_numbers ? "0" : text_.substr(at_, end - at_));
    at_ = end;
  }

  void string() {
    const char quote = text_[at_];
    const bool is_long = quote != '`' && at_ + 2 < text_.size() && text_[at_ + 1] == quote && text_[at_ + 2] == quote;
    size_t end = at_ + (is_long ? 3 : 1);
    while (end < text_.size()) {
      const char byte = text_[end];
      if (byte == '\\') {
        end += follows(end + 1, "\r\n") ? 3 : 2;  // a code point of several bytes: its other bytes are neither quotes nor line ends
      } else if (!is_long && is_line_end(byte)) {
        break;
      } else if (byte != quote) {
        ++end;
      } else if (!is_long || (end + 2 < text_.size() && text_[end + 1] == quote && text_[end + 2] == quote)) {
        end += is_long ? 3 : 1;
        break;
      } else {
        ++end;
      }
    }
    end = std::min(end, text_.size());
    write(wanted_.normalize_strings ? "\"\"" : text_.substr(at_, end - at_));
    at_ = end;
  }

  // False: no comment begins here.
  bool comment() {
    const size_t end = comment_end();
    if (end == 0) return false;
    if (wanted_.keep_comments) words_to(end);
    at_ = end;
    return true;
  }

  // Where the comment that begins here ends; 0: none begins.
  [[nodiscard]] size_t comment_end() const {
    if (follows(at_, "/*")) return end_after(at_ + 2, "*/");
    if (follows(at_, "<!--")) return end_after(at_ + 4, "-->");
    if (follows(at_, "//")) return at_ > 0 && text_[at_ - 1] == ':' ? 0 : line_end();
    if (text_[at_] == '#') {
      if (!parted_before(at_)) return 0;
      const size_t next = at_ + 1;
      const bool code = name_part(next) > 0 || (next < text_.size() && (text_[next] == '[' || text_[next] == '(' || text_[next] == '{'));
      return code ? 0 : line_end();
    }
    if (!follows(at_, "--")) return 0;
    if (const size_t end = long_bracket_end()) return end;
    const size_t next = at_ + 2;
    const bool comment = parted_before(at_) && (next == text_.size() || text_[next] == '-' || white_at(next));
    return comment ? line_end() : 0;
  }
  // Of "--[[ ... ]]" with any number of "=" between the brackets; 0: something else.
  [[nodiscard]] size_t long_bracket_end() const {
    if (!follows(at_, "--[")) return 0;
    size_t level_end = at_ + 3;
    while (level_end < text_.size() && text_[level_end] == '=') ++level_end;
    if (level_end == text_.size() || text_[level_end] != '[') return 0;
    const size_t level = level_end - (at_ + 3);
    size_t equal = level + 1;  // of the signs after the last bracket; more than the level: there was none
    for (size_t at = level_end + 1; at < text_.size(); ++at) {
      if (text_[at] == ']') {
        if (equal == level) return at + 1;
        equal = 0;
      } else if (text_[at] == '=' && equal <= level) {
        ++equal;
      } else {
        equal = level + 1;
      }
    }
    return text_.size();
  }
  [[nodiscard]] size_t end_after(size_t at, std::string_view closing) const {
    const size_t found = text_.find(closing, at);
    return found == std::string_view::npos ? text_.size() : found + closing.size();
  }
  [[nodiscard]] size_t line_end() const { return std::min(text_.find_first_of("\n\r", at_), text_.size()); }

  // The words of a comment, as words_v1 cuts them.
  void words_to(size_t end) {
    const std::string_view comment = text_.substr(0, end);
    while (at_ < end) {
      const size_t begin = at_;
      Decoded next = decode_quickly(comment, at_);
      const WordClass first = word_class_of(next.code_point);
      at_ += next.length;
      if (first == WordClass::kSeparator) continue;
      for (; at_ < end; at_ += next.length) {
        next = decode_quickly(comment, at_);
        const WordClass part = word_class_of(next.code_point);
        if (part != WordClass::kMark && (part != WordClass::kLetter || first == WordClass::kSingle)) break;
      }
      write(comment.substr(begin, at_ - begin));
    }
  }

  void high() {
    const Decoded decoded = decode_quickly(text_, at_);
    if (is_white_space(decoded.code_point)) {
      at_ += decoded.length;
    } else if (word_class_of(decoded.code_point) != WordClass::kSeparator) {
      name();
    } else {
      write_to(at_ + decoded.length);
    }
  }

  const CodeTokens& wanted_;
  const std::string_view text_;
  TokenBuffer& out_;
  const std::array<WordClass, 0x10000>& classes_ = word_classes();
  size_t at_ = 0;
  size_t count_ = 0;
  // Of the joined text, with a blank after every token. Fits: limits::kMaxTextBytes is of the text before the normalizer, which makes at
  // most 37/3 of it, blanks included (of U+FDFA).
  uint32_t end_ = 0;
};

class CodeTokenizer final : public Tokenizer {
 public:
  explicit CodeTokenizer(const CodeTokens& tokens) : tokens_(tokens) {}
  void tokenize(std::string_view normalized, TokenBuffer& out) const override { CodeLexer(tokens_, normalized, out).run(); }

 private:
  const CodeTokens tokens_;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_code_tokenizer(const CodeTokens& tokens) {
  return std::make_unique<CodeTokenizer>(tokens);
}

bool is_code_keyword(std::string_view name) noexcept {
  return name.size() <= kLongestKeyword && std::ranges::binary_search(kKeywords, name);
}

}  // namespace neardup
