#include "index/prefix/containment_sample.h"

#include <algorithm>
#include <limits>

namespace neardup {
namespace {

// Calls visit(i, P[Binomial(trials, p) <= i]) for i = 0, 1, ... while it returns true. Only products and sums, so that every machine plans
// the same. Requires p > 0.
template <typename Visit>
void for_each_tail(uint32_t trials, double p, const Visit& visit) noexcept {
  if (p >= 1) {
    for (uint32_t i = 0; i < trials && visit(i, 0.0); ++i) {
    }
    return;
  }
  double term = 1;
  for (uint32_t i = 0; i < trials; ++i) term *= 1 - p;
  double sum = 0;
  for (uint32_t i = 0; i < trials; ++i) {
    sum += term;
    if (!visit(i, sum)) return;
    term *= p / (1 - p) * (trials - i) / (i + 1);
  }
}

}  // namespace

ContainmentSample ContainmentSample::plan(Threshold threshold) noexcept {
  ContainmentSample sample{.features = kFeatures / 2, .common = 0};
  do {
    sample.features *= 2;
    for_each_tail(sample.features, threshold.value(), [&](uint32_t i, double tail) {
      if (tail > kMissProbability) return false;
      sample.common = i + 1;
      return true;
    });
  } while (sample.common == 0);
  return sample;
}

uint64_t ContainmentSample::required(uint32_t size, Threshold threshold) const noexcept {
  const uint64_t shared = threshold.min_partner_size(size);
  const uint64_t lacking = size - shared;  // at most, of the set and so of the sample
  const uint64_t drawn = size_of(size);
  if (drawn == size) return shared;
  return drawn >= lacking + common ? drawn - lacking : common;
}

uint32_t ContainmentSample::certain_up_to(Threshold threshold) const noexcept {
  constexpr uint32_t kAnySize = std::numeric_limits<uint32_t>::max();
  if (all()) return kAnySize;
  const auto certain = [&](uint32_t size) { return size - threshold.min_partner_size(size) + common <= features; };
  // What a container may lack does not fall as the set grows.
  uint32_t low = features;
  uint32_t high = kAnySize;
  if (certain(high)) return high;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    (certain(middle) ? low : high) = middle;
  }
  return low;
}

double ContainmentSample::miss_probability(Threshold threshold) const noexcept {
  double missed = 0;
  if (all()) return missed;
  for_each_tail(features, threshold.value(), [&](uint32_t i, double tail) {
    if (i >= common) return false;
    missed = tail;
    return true;
  });
  return missed;
}

}  // namespace neardup
