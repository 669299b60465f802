// The cosine of weighted feature sets, in integers: the same on every machine.
#pragma once

#include <cstdint>
#include <span>

namespace neardup {

/// A feature set with its weights in the same order; weights are 1 to 2^31 - 1.
struct WeightedSet {
  std::span<const uint64_t> features;  ///< sorted, unique
  std::span<const uint64_t> weights;
};

/// floor(10^6 * cosine); 10^6 for two empty sets, 0 if one is empty. Exact, unless the squares of the weights of a set could sum to 2^63:
/// then its weights are divided by 2^s (to at least 1), with an s that rules this out.
uint32_t cosine_millionths(const WeightedSet& a, const WeightedSet& b) noexcept;

}  // namespace neardup
