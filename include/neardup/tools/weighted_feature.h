// WeightedFeature: a feature with its weight. Sketches with weights take lists sorted by hash, without repetitions.
#pragma once

#include <compare>
#include <cstdint>

namespace neardup {

struct WeightedFeature {
  uint64_t hash = 0;   ///< XXH3-64 (seed 0) of the token's bytes
  int32_t weight = 1;  ///< above 0 if a recipe makes it; a fixed-point number, see docs/weights.md
  friend auto operator<=>(const WeightedFeature&, const WeightedFeature&) = default;
};

}  // namespace neardup
