// words_v1. ASCII goes through a kernel, ideographs in a row have a loop of their own, and all other text goes code point by code
// point through a table of classes. A token is always a run of the text's own bytes, because what is malformed
// reads as U+FFFD, which separates.
#include <array>

#include "text/tokens/token_writer.h"
#include "text/tokens/tokenizers.h"
#include "text/utf8/code_points.h"
#include "text/utf8/quick_utf8.h"

namespace neardup {
namespace {

struct Item {
  WordClass word_class;
  uint32_t length;
};

constexpr bool is_ascii_word(uint8_t byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

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
  // Returns where a token or a separator begins that is not all ASCII; everything before it is written.
  size_t ascii_tokens(std::string_view text, size_t at, TokenWriter& writer) const {
    TokenWriter::Cursor cursor = writer.take();
    const kernels::WordRuns runs = kernels_.ascii_words(text.data() + at, text.size() - at, cursor.text, cursor.at, cursor.start);
    cursor.start += runs.tokens;
    cursor.at = runs.end;
    writer.put_back(cursor);
    return at + runs.read;
  }

  // Three-byte code points that stand alone or separate, with ASCII separators among them. Returns where something else begins.
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
      // Written in any case, and kept if it is a token: no branch depends on the character.
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
    Item item = item_at(text, at);
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

  [[nodiscard]] Item item_at(std::string_view text, size_t at) const {
    const Decoded decoded = decode_quickly(text, at);
    const char32_t c = decoded.code_point;
    return {c < 0x10000 ? classes_[c] : word_class(c), decoded.length};
  }

  const kernels::Kernels& kernels_;
  const std::array<WordClass, 0x10000>& classes_ = word_classes();
};

}  // namespace

std::unique_ptr<const Tokenizer> make_words_tokenizer(const kernels::Kernels& kernels) {
  return std::make_unique<WordsTokenizer>(kernels);
}

}  // namespace neardup
