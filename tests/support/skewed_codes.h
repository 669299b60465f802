// Codes whose bits are not even: what planners and indexes meet outside of benchmarks.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "support/codes.h"

namespace neardup::testing {

enum class Skew { kNone, kConstantBits, kRepeated, kRareBits, kMixed, kClustered, kOneCode };
inline constexpr Skew kSkews[] = {Skew::kNone,  Skew::kConstantBits, Skew::kRepeated, Skew::kRareBits,
                                  Skew::kMixed, Skew::kClustered,    Skew::kOneCode};

inline uint64_t skewed_word(std::mt19937_64& random, Skew skew) {
  const uint64_t word = random();
  switch (skew) {
    case Skew::kConstantBits:
      return (word & 0xFFFFF0F0'F0F0FFFF) | 0x0000000A'0A000000;
    case Skew::kRepeated:
      return (word & 0xFFFFFFFF) | word << 32;
    case Skew::kRareBits:
      return word & random() & random();
    case Skew::kMixed:  // from even to one in 16
      return word & (random() | 0xFFFF) & (random() | 0xFFFFFFFF) & (random() | 0xFFFFFFFFFFFF);
    case Skew::kClustered:  // half of them around 16 centres
      return word % 2 == 0 ? word : word % 32 * 0x9E3779B97F4A7C15 ^ uint64_t { 1 } << (word >> 58);
    case Skew::kOneCode:
      return 0x0123456789ABCDEF;
    case Skew::kNone:
      break;
  }
  return word;
}

template <typename Code>
std::vector<Code> skewed_codes(uint64_t seed, size_t count, Skew skew) {
  std::mt19937_64 random(seed);
  std::vector<Code> codes(count);
  for (Code& code : codes) {
    code.low = skewed_word(random, skew);
    if constexpr (Code::kBits == 128) code.high = skewed_word(random, skew);
  }
  return codes;
}

inline bool has_bit(Fingerprint64 code, uint32_t bit) {
  return (code.low >> bit & 1) != 0;
}
inline bool has_bit(Fingerprint128 code, uint32_t bit) {
  return ((bit < 64 ? code.low >> bit : code.high >> (bit - 64)) & 1) != 0;
}

}  // namespace neardup::testing
