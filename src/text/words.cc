// words_v1. ASCII goes by 64-byte blocks: a kernel gives the mask of word bytes, and every run of ones that ends inside the block
// is a token; one that does not begins the next block. All other text goes code point by code point through a table of classes.
// A token is always a run of the text's own bytes, because what is malformed reads as U+FFFD, which separates.
#include <algorithm>
#include <bit>
#include <cstring>

#include "text/code_points.h"
#include "text/tokenizers.h"
#include "text/utf8.h"

namespace neardup {
namespace {

constexpr size_t kCopy = 16;  // bytes that are copied at a time; may read and write that much too far
constexpr size_t kReadable = kernels::kTextBlock + kCopy;
constexpr size_t kMostTokensPerBlock = kernels::kTextBlock / 2;
constexpr uint64_t kHighBits = 0x8080808080808080u;

// Writes tokens behind each other into buffers that are longer than what is in use; finish() cuts them.
class TokenWriter {
 public:
  TokenWriter(size_t text_bytes, TokenBuffer& out) : out_(out) {
    // A token that touches the one before adds a separator of one byte: at worst 4 bytes "x<ideograph>" become 6.
    out.joined.resize(text_bytes + text_bytes / 2 + kReadable);
    to_ = out.joined.data();
    make_room(text_bytes / 6 + kMostTokensPerBlock);
  }

  void make_room(size_t tokens) {
    const size_t needed = count_ + tokens;
    if (needed <= std::min(out_.starts.size(), out_.ends.size())) return;
    out_.starts.resize(needed + needed / 2);
    out_.ends.resize(needed + needed / 2);
  }

  // Requires room for a token. With `padded`, at least kCopy bytes may be read behind the token.
  void write(const char* from, size_t length, bool padded) {
    char* to = to_ + end_;
    if (padded) {
      std::memcpy(to, from, kCopy);
      for (size_t i = kCopy; i < length; i += kCopy) std::memcpy(to + i, from + i, kCopy);
    } else {
      std::memcpy(to, from, length);
    }
    to[length] = ' ';
    out_.starts[count_] = static_cast<uint32_t>(end_);
    out_.ends[count_] = static_cast<uint32_t>(end_ + length);
    ++count_;
    end_ += length + 1;
  }

  void finish() {
    out_.joined.resize(end_ == 0 ? 0 : end_ - 1);
    out_.starts.resize(count_);
    out_.ends.resize(count_);
  }

 private:
  TokenBuffer& out_;
  char* to_ = nullptr;
  size_t end_ = 0;
  size_t count_ = 0;
};

struct Item {
  WordClass word_class;
  uint32_t length;
};

constexpr WordClass ascii_class(uint8_t byte) {
  const bool word = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
  return word ? WordClass::kLetter : WordClass::kSeparator;
}

class WordsTokenizer final : public Tokenizer {
 public:
  explicit WordsTokenizer(const kernels::Kernels& kernels) : kernels_(kernels) {}

  void tokenize(std::string_view text, TokenBuffer& out) const override {
    TokenWriter writer(text.size(), out);
    for (size_t at = 0; at < text.size();) {
      if (starts_long_ascii(text, at)) at = ascii_tokens(text, at, writer);
      if (at < text.size()) at = wide_tokens(text, at, writer);
    }
    writer.finish();
  }

 private:
  static bool starts_long_ascii(std::string_view text, size_t at) {
    if (text.size() - at < 16) return false;
    uint64_t words[2];
    std::memcpy(words, text.data() + at, sizeof(words));
    return ((words[0] | words[1]) & kHighBits) == 0;
  }

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
      const uint64_t ascii_word = limit == 64 ? word : word & ((uint64_t{1} << limit) - 1);
      const auto open = limit == 0 ? 0u : static_cast<unsigned>(std::countl_one(ascii_word << (64 - limit)));
      const unsigned done = limit - open;
      write_runs(block, done == 64 ? ascii_word : ascii_word & ((uint64_t{1} << done) - 1), writer);
      at = std::min(at + done, text.size());
      if (done == 0 || limit < 64) break;
    }
    return at;
  }

  static void write_runs(const char* block, uint64_t word, TokenWriter& writer) {
    writer.make_room(kMostTokensPerBlock);
    while (word != 0) {
      const auto begin = static_cast<unsigned>(std::countr_zero(word));
      const auto length = static_cast<unsigned>(std::countr_one(word >> begin));
      writer.write(block + begin, length, true);
      word &= ~uint64_t{0} << (begin + length);  // below 64: a run that reaches the block's end is not in the mask
    }
  }

  // Writes at least one token or passes over one separator, and goes on until the text is ASCII for a while.
  size_t wide_tokens(std::string_view text, size_t at, TokenWriter& writer) const {
    Item item = item_at(text, at);
    while (true) {
      const size_t begin = at;
      const WordClass first = item.word_class;
      at += item.length;
      if (at < text.size()) item = item_at(text, at);
      if (first != WordClass::kSeparator) {
        while (at < text.size() && continues(first, item.word_class)) {
          at += item.length;
          if (at < text.size()) item = item_at(text, at);
        }
        writer.make_room(1);
        writer.write(text.data() + begin, at - begin, text.size() - at >= kCopy);
      }
      if (at >= text.size() || (item.length == 1 && starts_long_ascii(text, at))) return at;
    }
  }

  // Marks go on with anything; letters and digits go on with all but the code points that stand alone.
  static bool continues(WordClass first, WordClass next) {
    return next == WordClass::kMark || (next == WordClass::kLetter && first != WordClass::kSingle);
  }

  [[nodiscard]] Item item_at(std::string_view text, size_t at) const {
    const auto* const bytes = reinterpret_cast<const uint8_t*>(text.data() + at);
    if (bytes[0] < 0x80) return {ascii_class(bytes[0]), 1};
    if (text.size() - at >= 3 && (bytes[0] & 0xF0) == 0xE0 && (bytes[1] & 0xC0) == 0x80 && (bytes[2] & 0xC0) == 0x80) {
      const uint32_t c = (bytes[0] & 0x0Fu) << 12 | (bytes[1] & 0x3Fu) << 6 | (bytes[2] & 0x3Fu);
      if (c - 0x4E00u <= 0x9FFFu - 0x4E00u) return {WordClass::kSingle, 3};
      if (c >= 0x800) return {classes_[c], 3};  // a surrogate separates, as the U+FFFDs do that it reads as
    }
    const Decoded decoded = decode_utf8(text, at);
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
