// BitWriter and BitReader: values of 0 to 57 bits, one after the other, the lowest bit of each byte first; and two codes for small numbers.
//
//   gamma code of n >= 1   as many zeros as n has bits after its highest one, a one, these bits
//   Rice code of n with k  n >> k zeros, a one, the lowest k bits of n
//
// The reader trusts nothing: it reads bits only before its end, and says by ok() whether it was asked for more.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

namespace neardup {

/// The width of a value at most.
inline constexpr uint32_t kMaxFieldBits = 57;
/// load_bits() reads up to this many bytes after the byte in which a field ends.
inline constexpr size_t kBitSlack = 8;

static_assert(std::endian::native == std::endian::little, "bits are read eight bytes at a time");

/// `width` <= 57 bits from bit `at` on. Eight bytes from byte at / 8 on must be readable.
inline uint64_t load_bits(const char* bytes, uint64_t at, uint32_t width) noexcept {
  uint64_t word = 0;
  std::memcpy(&word, bytes + at / 8, sizeof word);
  return word >> (at % 8) & ((uint64_t{1} << width) - 1);
}

class BitWriter {
 public:
  /// Appends to `out`; flush() writes the last bits.
  explicit BitWriter(std::string& out) noexcept : out_(out) {}

  /// value < 2^width, width <= 57
  void put(uint64_t value, uint32_t width) {
    word_ |= value << used_;
    used_ += width;
    if (used_ >= 64) {
      append_word();
      used_ -= 64;
      word_ = used_ == 0 ? 0 : value >> (width - used_);
    }
  }
  void put_zeros(uint64_t count) {
    for (; count > kMaxFieldBits; count -= kMaxFieldBits) put(0, kMaxFieldBits);
    put(0, static_cast<uint32_t>(count));
  }
  /// 1 <= value < 2^57
  void put_gamma(uint64_t value) {
    const auto below = static_cast<uint32_t>(std::bit_width(value | 1)) - 1;
    put_zeros(below);
    put(1, 1);
    put(value ^ (uint64_t{1} << below), below);
  }
  void put_rice(uint64_t value, uint32_t k) {
    put_zeros(value >> k);
    put(1, 1);
    put(value & ((uint64_t{1} << k) - 1), k);
  }
  /// Fills the last byte with zeros.
  void flush() {
    char bytes[sizeof word_];
    std::memcpy(bytes, &word_, sizeof word_);
    out_.append(bytes, (used_ + 7) / 8);
    word_ = 0;
    used_ = 0;
  }

 private:
  void append_word() {
    char bytes[sizeof word_];
    std::memcpy(bytes, &word_, sizeof word_);
    out_.append(bytes, sizeof bytes);
  }

  std::string& out_;
  uint64_t word_ = 0;
  uint32_t used_ = 0;  // bits of word_, below 64
};

class BitReader {
 public:
  BitReader() = default;
  /// Bits [at, end) of `bytes`, after which kBitSlack bytes must be readable.
  BitReader(const char* bytes, uint64_t at, uint64_t end) noexcept : bytes_(bytes), at_(at), end_(end) {}

  /// False once more was asked for than there is; values read since then mean nothing.
  [[nodiscard]] bool ok() const noexcept { return at_ <= end_; }
  [[nodiscard]] const char* bytes() const noexcept { return bytes_; }
  [[nodiscard]] uint64_t at() const noexcept { return at_; }
  [[nodiscard]] uint64_t end() const noexcept { return end_; }
  void skip(uint64_t bits) noexcept { at_ = bits > end_ - std::min(at_, end_) ? end_ + 1 : at_ + bits; }

  /// width <= 57
  uint64_t get(uint32_t width) noexcept {
    const uint64_t value = load_bits(bytes_, std::min(at_, end_), width);
    at_ += width;
    return value;
  }
  uint64_t get_gamma() noexcept {
    const uint64_t below = get_zeros();
    if (below >= kMaxFieldBits) [[unlikely]] {
      at_ = end_ + 1;
      return 1;
    }
    return get(static_cast<uint32_t>(below)) | uint64_t{1} << below;
  }
  uint64_t get_rice(uint32_t k) noexcept {
    const uint64_t quotient = get_zeros();
    return quotient << k | get(k);
  }
  /// A Rice code with k <= 36, then a gamma code, faster than one after the other.
  void get_rice_and_gamma(uint32_t k, uint64_t& rice, uint64_t& gamma) noexcept {
    const uint64_t mark = uint64_t{1} << kMaxFieldBits;
    const uint64_t bits = load_bits(bytes_, std::min(at_, end_), kMaxFieldBits);
    const auto quotient = static_cast<uint32_t>(std::countr_zero(bits | mark));
    const uint64_t after = bits >> quotient >> 1;
    const uint64_t rest = after >> k;
    const auto below = static_cast<uint32_t>(std::countr_zero(rest | mark));
    const uint32_t used = quotient + 1 + k + 2 * below + 1;
    if (used > kMaxFieldBits) [[unlikely]] {
      rice = get_rice(k);
      gamma = get_gamma();
      return;
    }
    rice = uint64_t{quotient} << k | (after & ((uint64_t{1} << k) - 1));
    gamma = (rest >> below >> 1 & ((uint64_t{1} << below) - 1)) | uint64_t{1} << below;
    at_ += used;
  }
  /// Takes the next `count` ones with the zeros before them: visit(i, zeros before one i). False if there are fewer.
  template <typename Visit>
  bool get_ones(uint32_t count, const Visit& visit) noexcept {
    uint64_t at = at_;  // of the first bit of `bits`
    uint64_t begin = at_;
    uint64_t bits = load_bits(bytes_, std::min(at, end_), kMaxFieldBits);
    for (uint32_t i = 0; i < count; ++i) {
      while (bits == 0) [[unlikely]] {
        at += kMaxFieldBits;
        if (at >= end_) {
          at_ = end_ + 1;
          return false;
        }
        bits = load_bits(bytes_, at, kMaxFieldBits);
      }
      const uint64_t one = at + static_cast<uint32_t>(std::countr_zero(bits));
      bits &= bits - 1;
      visit(i, one - begin);
      begin = one + 1;
    }
    at_ = begin;
    return ok();
  }

 private:
  // Zeros before the next one, which is taken too.
  uint64_t get_zeros() noexcept {
    for (uint64_t zeros = 0; at_ <= end_;) {
      const uint64_t bits = load_bits(bytes_, at_, kMaxFieldBits);
      const auto here = static_cast<uint32_t>(std::countr_zero(bits | uint64_t{1} << kMaxFieldBits));
      at_ += here;
      zeros += here;
      if (here < kMaxFieldBits) {
        ++at_;
        return zeros;
      }
    }
    return 0;
  }

  const char* bytes_ = nullptr;
  uint64_t at_ = 0;
  uint64_t end_ = 0;
};

}  // namespace neardup
