#include "dedup/match/matcher.h"

#include "features/cosine.h"

namespace neardup {

Overlap Matcher::overlap(uint32_t a, uint32_t b, Scratch& scratch) const {
  if (in_.judge == Judge::kHamming) {
    const uint32_t equal = in_.rule.bits - in_.rule.distance(in_.candidates, a, b);
    return {.common = equal, .size_a = in_.rule.bits, .size_b = equal};  // equal bits by all bits
  }
  const auto features_a = scratch.a.get(in_.features, a);
  const auto features_b = scratch.b.get(in_.features, b);
  if (in_.judge == Judge::kCosine) {
    const uint32_t millionths =
        cosine_millionths({features_a, in_.weights.get(a, scratch.weights_a)}, {features_b, in_.weights.get(b, scratch.weights_b)});
    return {.common = millionths, .size_a = Threshold::kOne, .size_b = millionths};
  }
  return {count_common(features_a, features_b), static_cast<uint32_t>(features_a.size()), static_cast<uint32_t>(features_b.size())};
}

}  // namespace neardup
