#include "text/tokens/tokenizer.h"

#include <simdjson.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

// Appends tokens to a TokenBuffer, each followed by one blank. The buffers are longer than the used part, so that hot loops write through
// the bare pointers of a Cursor, a local copy that their stores cannot alias.
class TokenWriter {
 public:
  struct Cursor {
    char* text;       // where the joined text begins
    uint32_t* start;  // of the next token
    uint32_t at;      // in the joined text

    void write(const char* token, size_t length) noexcept {
      std::memcpy(text + at, token, length);
      *start++ = at;
      at += static_cast<uint32_t>(length);
      text[at++] = ' ';
    }
  };

  // Two tokens are made of at least four bytes: "x" and what separates, or an ideograph. So there are at most half as many tokens as
  // bytes, and one; and at worst the four bytes "x<ideograph>" become six.
  TokenWriter(size_t text_bytes, TokenBuffer& out) : out_(out) {
    out_.joined.resize(text_bytes + text_bytes / 2 + 2 * kernels::kTextBlock);
    out_.starts.resize(text_bytes / 2 + 2 * kernels::kTextBlock);
  }

  // Return it by put_back. It has room for the tokens of the text, and for what the kernels write beyond them.
  [[nodiscard]] Cursor take() const noexcept { return {out_.joined.data(), out_.starts.data() + count_, end_}; }
  void put_back(const Cursor& cursor) noexcept {
    count_ = static_cast<size_t>(cursor.start - out_.starts.data());
    end_ = cursor.at;
  }

  void finish() {
    out_.starts[count_] = end_;
    out_.starts.resize(count_ + 1);
    out_.joined.resize(end_ == 0 ? 0 : end_ - 1);
    out_.separator_bytes = 1;
  }

 private:
  TokenBuffer& out_;
  size_t count_ = 0;
  uint32_t end_ = 0;  // of the joined text, with a blank after every token
};

// The next code point of any_token().
struct TokenStart {
  WordClass word_class;
  uint32_t length;
};

constexpr bool is_ascii_word(uint8_t byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

// words_v1. ASCII goes through a kernel, ideographs in a row have a loop of their own, and all other text goes code point by code point
// through a table of classes. A token is always a run of the text's own bytes, because malformed bytes read as U+FFFD, which separates.
class WordsTokenizer final : public Tokenizer {
 public:
  explicit WordsTokenizer(const kernels::Kernels& kernels) : kernels_(kernels) {}

  void tokenize(std::string_view text, TokenBuffer& out) const override {
    TokenWriter writer(text.size(), out);
    for (size_t at = 0; at < text.size();) {
      if (starts_long_ascii(text, at)) {
        at = ascii_tokens(text, at, writer);
      } else {
        at = single_tokens(text, at, writer);
      }
      if (at < text.size()) at = any_token(text, at, writer);
    }
    writer.finish();
  }

 private:
  // Returns the start of the first token or separator that is not all ASCII; everything before it is written.
  size_t ascii_tokens(std::string_view text, size_t at, TokenWriter& writer) const {
    TokenWriter::Cursor cursor = writer.take();
    const kernels::WordRuns runs = kernels_.ascii_words(text.data() + at, text.size() - at, cursor.text, cursor.at, cursor.start);
    cursor.start += runs.tokens;
    cursor.at = runs.end;
    writer.put_back(cursor);
    return at + runs.read;
  }

  // Three-byte code points that are single tokens or separators, with ASCII separators among them. Returns the start of anything else.
  size_t single_tokens(std::string_view text, size_t at, TokenWriter& writer) const {
    size_t last_end = SIZE_MAX;  // where the last token ended, in the text
    TokenWriter::Cursor cursor = writer.take();
    while (text.size() - at >= 4) {
      const uint32_t four = load_four(text.data() + at);
      if (!looks_like_three(four)) {
        const auto byte = static_cast<uint8_t>(four);
        if (byte >= 0x80 || is_ascii_word(byte)) break;
        ++at;
        continue;
      }
      const char32_t c = value_of_three(four);
      const WordClass word_class = classes_[c];  // overlong ones, below 0x800, are never singles: they are decoded elsewhere
      if (word_class == WordClass::kLetter || word_class == WordClass::kMark) break;
      // Always written, and kept if it is a token: no branch depends on the character.
      const bool kept = word_class == WordClass::kSingle;
      store_four((four & 0xFFFFFF) | uint32_t{' '} << 24, cursor.text + cursor.at);
      *cursor.start = cursor.at;
      cursor.start += kept;
      cursor.at += kept ? 4 : 0;
      at += 3;
      last_end = kept ? at : last_end;
    }
    if (last_end == at && at < text.size() && item_at(text, at).word_class == WordClass::kMark) {
      --cursor.start;  // the mark belongs to a token that was written without it
      cursor.at -= 4;
      at -= 3;
    }
    writer.put_back(cursor);
    return at;
  }

  // The token at `at`, whatever it is made of, or one separator.
  size_t any_token(std::string_view text, size_t at, TokenWriter& writer) const {
    const size_t begin = at;
    TokenStart item = item_at(text, at);
    const WordClass first = item.word_class;
    at += item.length;
    if (first == WordClass::kSeparator) return at;
    for (; at < text.size(); at += item.length) {
      item = item_at(text, at);
      if (!continues(first, item.word_class)) break;
    }
    TokenWriter::Cursor cursor = writer.take();
    cursor.write(text.data() + begin, at - begin);
    writer.put_back(cursor);
    return at;
  }

  // Marks continue anything; letters and digits continue all but the code points that stand alone.
  static bool continues(WordClass first, WordClass next) {
    return next == WordClass::kMark || (next == WordClass::kLetter && first != WordClass::kSingle);
  }

  [[nodiscard]] TokenStart item_at(std::string_view text, size_t at) const {
    const Decoded decoded = decode_quickly(text, at);
    const char32_t c = decoded.code_point;
    return {c < 0x10000 ? classes_[c] : word_class(c), decoded.length};
  }

  const kernels::Kernels& kernels_;
  const std::array<WordClass, 0x10000>& classes_ = word_classes();
};

// chars_v1: every code point is a token, and the joined text is the text. A malformed subpart is one token of its own bytes.
class CharsTokenizer final : public Tokenizer {
 public:
  explicit CharsTokenizer(const kernels::Kernels& kernels) : kernels_(kernels) {}

  void tokenize(std::string_view text, TokenBuffer& out) const override {
    out.joined.reserve(text.size() + kernels::kShingleSlack);
    out.joined.assign(text.begin(), text.end());
    out.starts.resize(text.size() + kernels::kTextBlock);
    const size_t count =
        simdjson::validate_utf8(text) ? kernels_.code_point_starts(text.data(), text.size(), out.starts.data()) : decode(text, out);
    out.starts[count] = static_cast<uint32_t>(text.size());
    out.starts.resize(count + 1);
    out.separator_bytes = 0;
  }

 private:
  static size_t decode(std::string_view text, TokenBuffer& out) {
    size_t count = 0;
    for (size_t at = 0; at < text.size(); at += decode_utf8(text, at).length) out.starts[count++] = static_cast<uint32_t>(at);
    return count;
  }

  const kernels::Kernels& kernels_;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_tokenizer(TokenizerKind kind, const kernels::Kernels& kernels) {
  if (kind == TokenizerKind::kWords) return std::make_unique<WordsTokenizer>(kernels);
  return std::make_unique<CharsTokenizer>(kernels);
}

std::unique_ptr<const Tokenizer> make_tokenizer(TokenizerKind kind) {
  return make_tokenizer(kind, kernels::kernels());
}

}  // namespace neardup
