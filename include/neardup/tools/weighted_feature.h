// WeightedFeature: what a text is to a sketch with weights. A list of them is sorted by hash, and no hash occurs twice.
#pragma once

#include <compare>
#include <cstdint>

namespace neardup {

struct WeightedFeature {
  uint64_t hash = 0;   ///< XXH3-64 (seed 0) of the token's bytes
  int32_t weight = 1;  ///< above 0 where a recipe makes it; a fixed-point number, see docs/weights.md
  friend auto operator<=>(const WeightedFeature&, const WeightedFeature&) = default;
};

}  // namespace neardup
