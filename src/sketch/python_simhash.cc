#include "sketch/python_simhash.h"

#include <array>

#include "sketch/python_simhash_md5.h"
#include "sketch/python_simhash_words.h"
#include "text/utf8.h"

namespace neardup {
namespace {

// The last four code points, in UTF-8.
class Window {
 public:
  static constexpr uint32_t kCodePoints = 4;

  void push(char32_t c) noexcept {
    if (count_ == kCodePoints) {
      bytes_ >>= 8 * (lengths_ & 0xFF);
      length_ -= lengths_ & 0xFF;
      lengths_ >>= 8;
      --count_;
    }
    uint32_t length = 1;
    uint32_t code = c;  // lowest byte first
    if (c >= 0x10000) {
      code = (0xF0 | c >> 18) | (0x80 | (c >> 12 & 0x3F)) << 8 | (0x80 | (c >> 6 & 0x3F)) << 16 | (0x80 | (c & 0x3F)) << 24;
      length = 4;
    } else if (c >= 0x800) {
      code = (0xE0 | c >> 12) | (0x80 | (c >> 6 & 0x3F)) << 8 | (0x80 | (c & 0x3F)) << 16;
      length = 3;
    } else if (c >= 0x80) {
      code = (0xC0 | c >> 6) | (0x80 | (c & 0x3F)) << 8;
      length = 2;
    }
    bytes_ |= Wide{code} << (8 * length_);
    lengths_ |= length << (8 * count_);
    length_ += length;
    ++count_;
  }
  [[nodiscard]] bool full() const noexcept { return count_ == kCodePoints; }
  void hash(Md5Counts& counts) const noexcept {
    counts.add_short(static_cast<uint64_t>(bytes_), static_cast<uint64_t>(bytes_ >> 64), length_);
  }

 private:
  __extension__ using Wide = unsigned __int128;
  Wide bytes_ = 0;
  uint32_t length_ = 0;   // of all, at most 16: shifts stay below the width
  uint32_t lengths_ = 0;  // of each, a byte each, the oldest lowest
  uint32_t count_ = 0;
};

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
  constexpr char32_t kCapitalSigma = 0x3A3;
  const auto& characters = python_word_characters();
  Md5Counts counts;
  Window window;
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_utf8(text, at);
    char32_t c;
    if (decoded.code_point == kCapitalSigma) {
      c = python_lower_sigma(text, at);
    } else {
      c = decoded.code_point < characters.size() ? characters[decoded.code_point] : python_word_character(decoded.code_point);
    }
    at += decoded.length;
    if (c == 0) continue;
    window.push(c);
    if (window.full()) window.hash(counts);
  }
  if (!window.full()) window.hash(counts);  // fewer than four: one window of all, even if there are none
  return counts.majority();
}

Fingerprint128 python_simhash_tokens(std::span<const std::string_view> tokens) noexcept {
  Md5Counts counts;
  for (const std::string_view token : tokens) counts.add(token);
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
