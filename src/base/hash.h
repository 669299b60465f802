// The one hash function of the project: XXH3, seed 0. Never std::hash: fingerprints and ids are persisted.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <string_view>

namespace neardup {

inline uint64_t hash64(std::string_view bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

/// A bijection of 64-bit values with full avalanche: the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
constexpr uint64_t mix64(uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// The n-th output (from 0) of the SplitMix64 generator with this seed.
constexpr uint64_t splitmix64(uint64_t seed, uint64_t n) noexcept {
  return mix64(seed + (n + 1) * 0x9E3779B97F4A7C15u);
}

}  // namespace neardup
