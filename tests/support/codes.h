// Generated codes with planted neighbours, and the flat, obvious twin of every Hamming search: all pairs, one after the other.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "neardup/fingerprint.h"

namespace neardup::testing {

inline void flip(Fingerprint64& code, uint32_t bit) {
  code.low ^= uint64_t{1} << (bit % 64);
}
inline void flip(Fingerprint128& code, uint32_t bit) {
  (bit % 128 < 64 ? code.low : code.high) ^= uint64_t{1} << (bit % 64);
}
inline void make_random(std::mt19937_64& random, Fingerprint64& code) {
  code.low = random();
}
inline void make_random(std::mt19937_64& random, Fingerprint128& code) {
  code.low = random();
  code.high = random();
}

/// Random codes; half of them are earlier ones with 0 to `flips` different bits flipped, near one another as well as spread.
template <typename Code>
std::vector<Code> make_codes(uint64_t seed, size_t count, uint32_t flips) {
  std::mt19937_64 random(seed);
  std::vector<Code> codes(count);
  for (size_t i = 0; i < count; ++i) {
    make_random(random, codes[i]);
    if (i == 0 || random() % 2 == 0) continue;
    codes[i] = codes[random() % i];
    const auto wanted = static_cast<uint32_t>(random() % (flips + 1));
    const auto first = static_cast<uint32_t>(random());
    const uint32_t step = random() % 2 == 0 ? 1 : 11;  // odd: no bit comes twice
    for (uint32_t f = 0; f < wanted; ++f) flip(codes[i], first + f * step);
  }
  return codes;
}

/// Pairs of rows a < b and their distances.
using CodePairs = std::map<std::pair<uint32_t, uint32_t>, uint32_t>;

template <typename Code>
CodePairs flat_pairs(std::span<const Code> codes, uint32_t radius) {
  CodePairs pairs;
  for (uint32_t b = 0; b < codes.size(); ++b) {
    for (uint32_t a = 0; a < b; ++a) {
      const uint32_t distance = hamming_distance(codes[a], codes[b]);
      if (distance <= radius) pairs[{a, b}] = distance;
    }
  }
  return pairs;
}

}  // namespace neardup::testing
