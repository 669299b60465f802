#include "sketch/python_simhash.h"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "sketch/python_simhash_md5.h"
#include "sketch/python_simhash_words.h"
#include "text/normalize/final_sigma.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

// All windows of four code points. Code points are gathered first and cut into windows later: a load that follows the stores of its
// bytes at once would wait for them.
class Windows {
 public:
  explicit Windows(Md5Counts& counts) : counts_(counts) {}

  void push(char32_t c) noexcept {
    begin_[count_++] = end_;
    char* const out = bytes_.data() + end_;
    const auto put = [&](uint32_t length, uint32_t code) {  // lowest byte first; what is too much is overwritten
      if constexpr (std::endian::native == std::endian::big) code = __builtin_bswap32(code);
      std::memcpy(out, &code, sizeof code);
      end_ += length;
    };
    if (c < 0x80) {
      *out = static_cast<char>(c);
      ++end_;
    } else if (c < 0x800) {
      put(2, (0xC0 | c >> 6) | (0x80 | (c & 0x3F)) << 8);
    } else if (c < 0x10000) {
      put(3, (0xE0 | c >> 12) | (0x80 | (c >> 6 & 0x3F)) << 8 | (0x80 | (c & 0x3F)) << 16);
    } else {
      put(4, (0xF0 | c >> 18) | (0x80 | (c >> 12 & 0x3F)) << 8 | (0x80 | (c >> 6 & 0x3F)) << 16 | (0x80 | (c & 0x3F)) << 24);
    }
    if (count_ == kMost) hash();
  }
  void finish() noexcept {
    if (count_ >= kWidth) {
      hash();
    } else if (!hashed_) {
      add(0, end_);  // fewer than four in all: one window, even if there are none
    }
  }

 private:
  static constexpr uint32_t kWidth = 4;
  static constexpr uint32_t kMost = 512;

  // Hashes the windows that are complete, and keeps the three code points that the next ones begin with.
  void hash() noexcept {
    begin_[count_] = end_;
    for (uint32_t i = 0; i + kWidth <= count_; ++i) add(begin_[i], begin_[i + kWidth]);
    const uint32_t from = count_ - (kWidth - 1);
    const uint32_t shift = begin_[from];
    std::memmove(bytes_.data(), bytes_.data() + shift, end_ - shift);
    for (uint32_t i = 0; i < kWidth - 1; ++i) begin_[i] = begin_[from + i] - shift;
    count_ = kWidth - 1;
    end_ -= shift;
    hashed_ = true;
  }
  void add(uint32_t begin, uint32_t end) noexcept {
    const uint32_t length = end - begin;
    uint64_t halves[2];
    std::memcpy(halves, bytes_.data() + begin, sizeof halves);
    if constexpr (std::endian::native == std::endian::big) {
      for (uint64_t& half : halves) half = __builtin_bswap64(half);
    }
    halves[0] &= length < 8 ? (uint64_t{1} << (8 * length)) - 1 : ~uint64_t{0};
    halves[1] &= length < 8 ? 0 : length < 16 ? (uint64_t{1} << (8 * (length - 8))) - 1 : ~uint64_t{0};
    counts_.add_short(halves[0], halves[1], length);
  }

  Md5Counts& counts_;
  uint32_t count_ = 0;
  uint32_t end_ = 0;
  bool hashed_ = false;
  std::array<uint32_t, kMost + 1> begin_;
  std::array<char, kMost * 4 + 16> bytes_{};
};

// What is left of the code point at `at`, which moves on.
char32_t next_word_character(std::string_view text, size_t& at, const std::array<uint16_t, 0x10000>& characters) noexcept {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[at + i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) {
    ++at;
    return characters[first];
  }
  if (first > 0xE0 && first < 0xED && text.size() - at >= 3 && (byte(1) & 0xC0) == 0x80 && (byte(2) & 0xC0) == 0x80) {  // mostly Chinese
    const uint32_t c = (first & 0xFu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
    at += 3;
    return characters[c];
  }
  const Decoded decoded = decode_utf8(text, at);
  const size_t here = std::exchange(at, at + decoded.length);
  if (decoded.code_point == kCapitalSigma) return lower_sigma(text, here);
  return decoded.code_point < characters.size() ? characters[decoded.code_point] : python_word_character(decoded.code_point);
}

// How the package adds up: rows of 128 numbers, in order. Integer weights up to 50 are gathered into rows of 200 tokens first, which shows
// in sums of floats only. Integers stay exact in doubles below 2^53.
class Rows {
 public:
  void add(Fingerprint128 digest, int64_t weight) noexcept {
    count_ += static_cast<double>(weight);
    if (weight > kLargeWeight) {
      add_to(sums_, digest, static_cast<double>(weight));
      return;
    }
    if (weight > 0) add_to(batch_, digest, static_cast<double>(weight));  // a negative one repeats the hash no times
    if (++batched_ == kBatch) close_batch();
  }
  void add(Fingerprint128 digest, double weight) noexcept {
    count_ += weight;
    add_to(sums_, digest, weight);
  }
  Fingerprint128 majority() noexcept {
    close_batch();
    Fingerprint128 made;
    for (uint32_t bit = 0; bit < 128; ++bit) {
      (bit < 64 ? made.low : made.high) |= uint64_t{sums_[bit] > count_ / 2} << (bit % 64);
    }
    return made;
  }

 private:
  static constexpr int64_t kLargeWeight = 50;
  static constexpr uint32_t kBatch = 200;
  using Row = std::array<double, 128>;

  // The product counts too: infinity times 0 is not a number, and then the bit is 0.
  static void add_to(Row& row, Fingerprint128 digest, double weight) noexcept {
    const double product[2] = {0.0 * weight, weight};
    for (uint32_t bit = 0; bit < 64; ++bit) {
      row[bit] += product[digest.low >> bit & 1];
      row[64 + bit] += product[digest.high >> bit & 1];
    }
  }
  void close_batch() noexcept {
    for (uint32_t bit = 0; bit < 128; ++bit) sums_[bit] += batch_[bit];
    batch_ = {};
    batched_ = 0;
  }

  double count_ = 0;
  uint32_t batched_ = 0;
  Row batch_{};
  Row sums_{};
};

}  // namespace

Fingerprint128 python_simhash_text(std::string_view text) noexcept {
  const auto& characters = python_word_characters();
  Md5Counts counts;
  Windows windows(counts);
  for (size_t at = 0; at < text.size();) {
    const char32_t c = next_word_character(text, at, characters);
    if (c != 0) windows.push(c);
  }
  windows.finish();
  return counts.majority();
}

Fingerprint128 python_simhash_tokens(std::span<const std::string_view> tokens) noexcept {
  Md5Counts counts;
  for (const std::string_view token : tokens) counts.add(token);
  return counts.majority();
}

Fingerprint128 python_simhash_tokens(const TokenBuffer& tokens) noexcept {
  Md5Counts counts;
  for (size_t i = 0; i < tokens.size(); ++i) counts.add(tokens.token(i));
  return counts.majority();
}

Fingerprint128 python_simhash_weighted(std::span<const PythonToken> tokens) noexcept {
  Rows rows;
  for (const PythonToken& each : tokens) {
    std::visit([&](auto weight) { rows.add(md5_number(each.token), weight); }, each.weight);
  }
  return rows.majority();
}

}  // namespace neardup
