// words_v1. ASCII goes by 64-byte blocks: a kernel gives the mask of word bytes, and every run of ones that ends inside the block
// is a token; one that does not begins the next block. Ideographs in a row have a loop of their own, and all other text goes code
// point by code point through a table of classes. A token is always a run of the text's own bytes, because what is malformed
// reads as U+FFFD, which separates.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "text/code_points.h"
#include "text/quick_utf8.h"
#include "text/token_writer.h"
#include "text/tokenizers.h"

namespace neardup {
namespace {

constexpr size_t kReadable = kernels::kTextBlock + TokenWriter::kCopy;
constexpr size_t kMostTokensPerBlock = kernels::kTextBlock / 2;
constexpr size_t kSinglesPerBatch = 64;

struct Item {
  WordClass word_class;
  uint32_t length;
};

constexpr bool is_ascii_word(uint8_t byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

// The lowest `count` bits of the mask.
constexpr uint64_t low_bits(uint64_t mask, unsigned count) {
  return count == 64 ? mask : mask & ((uint64_t{1} << count) - 1);
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
  // Returns where something begins that is not ASCII, or longer than a block; everything before it is written.
  size_t ascii_tokens(std::string_view text, size_t at, TokenWriter& writer) const {
    while (at < text.size()) {
      const size_t left = text.size() - at;
      char tail[kReadable];
      const char* block = text.data() + at;
      if (left < kReadable) {
        std::memset(tail, 0, sizeof(tail));
        std::memcpy(tail, block, left);
        block = tail;
      }
      uint64_t word;
      uint64_t wide;
      kernels_.word_masks(block, &word, &wide);
      // Only runs that end before `limit` are tokens: beyond it, or at the block's end, they may go on.
      const auto limit = static_cast<unsigned>(std::countr_zero(wide));
      word = low_bits(word, limit);
      const auto open = limit == 0 ? 0u : static_cast<unsigned>(std::countl_one(word << (64 - limit)));
      const unsigned done = limit - open;
      write_runs(block, low_bits(word, done), writer);
      at = std::min(at + done, text.size());
      if (done == 0 || limit < 64) break;
    }
    return at;
  }

  // Requires kReadable bytes from `block`.
  static void write_runs(const char* block, uint64_t word, TokenWriter& writer) {
    TokenWriter::Cursor cursor = writer.take(kMostTokensPerBlock);
    while (word != 0) {
      const auto begin = static_cast<unsigned>(std::countr_zero(word));
      const auto length = static_cast<unsigned>(std::countr_one(word >> begin));
      cursor.write_padded(block + begin, length);
      word &= ~uint64_t{0} << (begin + length);  // below 64: a run that reaches the block's end is not in the mask
    }
    writer.put_back(cursor);
  }

  // Three-byte code points that stand alone or separate, with ASCII separators among them. Returns where something else begins.
  size_t single_tokens(std::string_view text, size_t at, TokenWriter& writer) const {
    size_t last_end = SIZE_MAX;  // where the last token ended, in the text
    while (true) {
      TokenWriter::Cursor cursor = writer.take(kSinglesPerBatch + 1);
      const uint32_t* const full = cursor.start + kSinglesPerBatch;
      while (cursor.start != full && text.size() - at >= 4) {
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
        *cursor.end = cursor.at + 3;
        cursor.start += kept;
        cursor.end += kept;
        cursor.at += kept ? 4 : 0;
        at += 3;
        last_end = kept ? at : last_end;
      }
      bool more = cursor.start == full;
      if (last_end == at && at < text.size() && item_at(text, at).word_class == WordClass::kMark) {
        --cursor.start;  // the mark belongs to a token that was written without it
        --cursor.end;
        cursor.at -= 4;
        at -= 3;
        more = false;
      }
      writer.put_back(cursor);
      if (!more) return at;
    }
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
    TokenWriter::Cursor cursor = writer.take(1);
    cursor.write(text.data() + begin, at - begin);
    writer.put_back(cursor);
    return at;
  }

  // Marks go on with anything; letters and digits go on with all but the code points that stand alone.
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
