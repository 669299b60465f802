#include "dedup/match/matcher.h"

#include "features/cosine.h"
#include "features/weighted_jaccard.h"

namespace neardup {

Overlap Matcher::overlap(uint32_t a, uint32_t b, Scratch& scratch) const {
  if (judge_ == Judge::kHamming) {
    const uint32_t equal = rule_.bits - rule_.distance(candidates_, a, b);
    return {.common = equal, .size_a = rule_.bits, .size_b = equal};  // equal bits by all bits
  }
  const auto features_a = scratch.a.get(features_, a);
  const auto features_b = scratch.b.get(features_, b);
  if (judge_ == Judge::kCosine || judge_ == Judge::kWeightedJaccard) {
    const WeightedSet set_a{features_a, weights_.get(a, scratch.weights_a)};
    const WeightedSet set_b{features_b, weights_.get(b, scratch.weights_b)};
    const uint32_t millionths = judge_ == Judge::kCosine ? cosine_millionths(set_a, set_b) : weighted_jaccard_millionths(set_a, set_b);
    return {.common = millionths, .size_a = Threshold::kOne, .size_b = millionths};
  }
  return {count_common(features_a, features_b), static_cast<uint32_t>(features_a.size()), static_cast<uint32_t>(features_b.size())};
}

}  // namespace neardup
