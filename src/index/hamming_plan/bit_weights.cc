#include "index/hamming_plan/bit_weights.h"

#include <algorithm>

namespace neardup {
namespace {

// p = 0.45 to 0.55 counts as even: a block of 25 such bits loses at most a third of a bit. A sample of n even bits is 1 / 2n higher on
// average, and rarely one of 128 is above 5 / n.
constexpr double kEven = 0.505;
constexpr double kEvenNoise = 5;
// Bound of the squared correlation: a sample of independent bits has 1 / n on average, and rarely one of 8128 pairs is above 25 / n.
constexpr double kMinCorrelation = 0.002;
constexpr double kNoise = 25;

}  // namespace

BitWeights::BitWeights(const HammingStatistics& statistics) : bits_(statistics.bits) {
  if (statistics.sampled == 0) return;
  const double n = statistics.sampled;
  agree_.resize(bits_);
  together_.assign(size_t{bits_} * bits_, 1.0);
  bool even = true;
  for (uint32_t b = 0; b < bits_; ++b) {
    const double p = statistics.ones[b] / n;
    const double agree = p * p + (1 - p) * (1 - p);
    const bool constant = statistics.ones[b] == 0 || statistics.ones[b] == statistics.sampled;
    agree_[b] = !constant && agree <= kEven + kEvenNoise / n ? 0.5 : agree;
    even = even && agree_[b] == 0.5;
  }
  for (uint32_t a = 0; a < bits_; ++a) {
    for (uint32_t b = 0; b < a; ++b) {
      const double p = statistics.ones[a] / n;
      const double q = statistics.ones[b] / n;
      const double spread = p * (1 - p) * q * (1 - q);
      if (spread == 0) continue;  // a constant bit
      const double both = (p + q - statistics.differ[size_t{a} * bits_ + b] / n) / 2;
      const double covariance = both - p * q;
      if (covariance * covariance <= spread * std::max(kMinCorrelation, kNoise / n)) continue;
      const double only_a = p - both;
      const double only_b = q - both;
      const double none = 1 - both - only_a - only_b;
      const double agree = both * both + only_a * only_a + only_b * only_b + none * none;
      const double apart = (p * p + (1 - p) * (1 - p)) * (q * q + (1 - q) * (1 - q));
      const double factor = std::max(1.0, agree / apart);
      together_[size_t{a} * bits_ + b] = together_[size_t{b} * bits_ + a] = factor;
      even = even && factor == 1;
    }
  }
  if (even) agree_.clear();
}

double BitWeights::reach(std::span<const uint8_t> block, uint32_t flips) const {
  std::vector<double> differ(flips + 1, 0);  // differ[d]: in exactly d of the bits seen so far
  differ[0] = 1;
  double factor = 1;
  for (size_t i = 0; i < block.size(); ++i) {
    const double same = agree(block[i]);
    for (uint32_t d = flips; d > 0; --d) differ[d] = differ[d] * same + differ[d - 1] * (1 - same);
    differ[0] *= same;
    for (size_t j = 0; j < i && !uniform(); ++j) factor *= together(block[i], block[j]);
  }
  double sum = 0;
  for (const double d : differ) sum += d;
  return std::min(1.0, sum * factor);
}

}  // namespace neardup
