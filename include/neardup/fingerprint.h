// Fingerprints: SimHash codes of 64 and 128 bits, compared by Hamming distance.
//
// The 64-bit fingerprint of a text is always the low half of its 128-bit one, so if you store the longer, you can derive the shorter. Bit i
// has the value 2^i. Written as: hexadecimal, highest digit first, 16 or 32 digits; decimal, without leading zeros; binary, lowest byte
// first. Values, no invariants; any bits are a fingerprint.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "neardup/tools/weighted_feature.h"

namespace neardup {

struct Fingerprint64 {
  static constexpr uint32_t kBits = 64;
  uint64_t low = 0;
  friend auto operator<=>(const Fingerprint64&, const Fingerprint64&) = default;
};

struct Fingerprint128 {
  static constexpr uint32_t kBits = 128;
  uint64_t high = 0;  ///< first, so that the order is that of the number
  uint64_t low = 0;
  [[nodiscard]] constexpr Fingerprint64 low_half() const noexcept { return {low}; }
  friend auto operator<=>(const Fingerprint128&, const Fingerprint128&) = default;
};

/// Its low half for Fingerprint64, itself for Fingerprint128.
template <typename Code>
constexpr Code narrowed(Fingerprint128 code) noexcept {
  if constexpr (Code::kBits == Fingerprint64::kBits) {
    return code.low_half();
  } else {
    return code;
  }
}

/// How many bits differ.
constexpr uint32_t hamming_distance(Fingerprint64 a, Fingerprint64 b) noexcept {
  return static_cast<uint32_t>(std::popcount(a.low ^ b.low));
}
constexpr uint32_t hamming_distance(Fingerprint128 a, Fingerprint128 b) noexcept {
  return static_cast<uint32_t>(std::popcount(a.high ^ b.high) + std::popcount(a.low ^ b.low));
}

std::string to_hex(Fingerprint64 fingerprint);
std::string to_hex(Fingerprint128 fingerprint);
std::string to_decimal(Fingerprint64 fingerprint);
std::string to_decimal(Fingerprint128 fingerprint);
std::array<uint8_t, 8> to_bytes(Fingerprint64 fingerprint) noexcept;
std::array<uint8_t, 16> to_bytes(Fingerprint128 fingerprint) noexcept;
Fingerprint64 fingerprint64_from_bytes(const std::array<uint8_t, 8>& bytes) noexcept;
Fingerprint128 fingerprint128_from_bytes(const std::array<uint8_t, 16>& bytes) noexcept;

/// Exactly 16 or 32 hexadecimal digits of either case, nothing else; otherwise nothing.
std::optional<Fingerprint64> fingerprint64_from_hex(std::string_view hex) noexcept;
std::optional<Fingerprint128> fingerprint128_from_hex(std::string_view hex) noexcept;

}  // namespace neardup
