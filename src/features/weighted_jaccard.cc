#include "features/weighted_jaccard.h"

#include <algorithm>

namespace neardup {
namespace {

__extension__ using Wide128 = unsigned __int128;

}  // namespace

uint32_t weighted_jaccard_millionths(const WeightedSet& a, const WeightedSet& b) noexcept {
  constexpr uint32_t kOne = 1'000'000;
  // Fewer than 2^32 features with weights below 2^31 each: both sums are below 2^64.
  uint64_t smaller = 0;
  uint64_t larger = 0;
  size_t i = 0;
  size_t j = 0;
  while (i < a.features.size() && j < b.features.size()) {
    if (a.features[i] == b.features[j]) {
      smaller += std::min(a.weights[i], b.weights[j]);
      larger += std::max(a.weights[i], b.weights[j]);
      ++i;
      ++j;
    } else if (a.features[i] < b.features[j]) {
      larger += a.weights[i++];
    } else {
      larger += b.weights[j++];
    }
  }
  for (; i < a.features.size(); ++i) larger += a.weights[i];
  for (; j < b.features.size(); ++j) larger += b.weights[j];
  if (larger == 0) return kOne;
  return static_cast<uint32_t>(Wide128{smaller} * kOne / larger);
}

}  // namespace neardup
