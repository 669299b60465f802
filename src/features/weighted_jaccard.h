// The Jaccard similarity of weighted feature sets: the sum of the smaller weights by the sum of the larger ones, in integers.
#pragma once

#include <cstdint>

#include "features/cosine.h"

namespace neardup {

/// floor(10^6 * similarity), so that it is at least a threshold in millionths exactly if the similarity is; 10^6 for two empty sets.
uint32_t weighted_jaccard_millionths(const WeightedSet& a, const WeightedSet& b) noexcept;

}  // namespace neardup
