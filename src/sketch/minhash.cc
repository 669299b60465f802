#include "sketch/minhash.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/hash.h"
#include "base/limits.h"
#include "kernels/kernels.h"

namespace neardup {

uint32_t minhash_offset(uint64_t seed, uint64_t lane) noexcept {
  return static_cast<uint32_t>(splitmix64(seed, lane) >> 32);
}

std::vector<uint32_t> padded_minhash_offsets(uint32_t lanes, uint64_t seed) {
  static_assert(limits::kMaxLanes % kernels::kLaneBlock == 0);  // so padding never exceeds it
  std::vector<uint32_t> offsets((lanes + kernels::kLaneBlock - 1) / kernels::kLaneBlock * kernels::kLaneBlock);
  for (size_t lane = 0; lane < offsets.size(); ++lane) offsets[lane] = minhash_offset(seed, lane);
  return offsets;
}

MinHasher::MinHasher(uint32_t lanes, uint64_t seed) : lanes_(lanes), offsets_(padded_minhash_offsets(lanes, seed)) {}

void MinHasher::sketch(std::span<const uint64_t> features, std::span<uint32_t> signature) const noexcept {
  std::array<uint32_t, limits::kMaxLanes> padded;
  std::fill_n(padded.begin(), offsets_.size(), ~0u);
  kernels::kernels().minhash_update(features.data(), features.size(), offsets_.data(), padded.data(), offsets_.size());
  std::copy_n(padded.begin(), signature.size(), signature.begin());
}

void minhash_reference(std::span<const uint64_t> features, uint64_t seed, std::span<uint32_t> signature) noexcept {
  for (size_t lane = 0; lane < signature.size(); ++lane) {
    signature[lane] = ~0u;
    for (const uint64_t x : features) {
      const uint32_t hash = (static_cast<uint32_t>(x) ^ minhash_offset(seed, lane)) * (static_cast<uint32_t>(x >> 32) | 1u);
      signature[lane] = std::min(signature[lane], hash);
    }
  }
}

uint32_t equal_lanes(std::span<const uint32_t> a, std::span<const uint32_t> b) noexcept {
  uint32_t equal = 0;
  for (size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i];
  return equal;
}

Interval wilson_95(uint32_t successes, uint32_t trials) noexcept {
  constexpr double kZ = 1.959963984540054;
  const double n = trials;
  const double p = successes / n;
  const double centre = p + kZ * kZ / (2 * n);
  const double spread = kZ * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n));
  const double scale = 1 + kZ * kZ / n;
  return {std::max(0.0, (centre - spread) / scale), std::min(1.0, (centre + spread) / scale)};
}

}  // namespace neardup
