// What fingerprints find and miss, in the mean.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "neardup/tools/plan.h"

namespace neardup {
namespace {

// P[Binomial(trials, p) <= most].
double binomial_at_most(uint32_t trials, double p, uint32_t most) noexcept {
  if (p <= 0 || most >= trials) return 1;
  double sum = 0;
  double choices = 0;  // the logarithm of trials over i
  for (uint32_t i = 0; i <= most; ++i) {
    sum += std::exp(choices + i * std::log(p) + (trials - i) * std::log1p(-p));
    choices += std::log(static_cast<double>(trials - i) / (i + 1));
  }
  return std::min(sum, 1.0);
}

// The probability that two fingerprints differ in a bit.
double differing_share(double s) noexcept {
  return std::acos(std::clamp(2 * s / (1 + s), 0.0, 1.0)) / std::numbers::pi;
}

}  // namespace

double fingerprint_recall(uint32_t bits, uint32_t max_distance, double s) noexcept {
  return binomial_at_most(bits, differing_share(s), max_distance);
}

double fingerprint_chance(uint32_t bits, uint32_t max_distance) noexcept {
  return binomial_at_most(bits, 0.5, max_distance);
}

double fingerprint_distance(uint32_t bits, double s) noexcept {
  return bits * differing_share(s);
}

}  // namespace neardup
