#include "features/cosine.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace neardup {
namespace {

__extension__ using Wide = unsigned __int128;

// The shift of weights that keeps the sum of their squares below 2^63.
uint32_t shift_of(const WeightedSet& set) noexcept {
  uint64_t heaviest = 1;
  for (const uint64_t weight : set.weights) heaviest = std::max(heaviest, weight);
  const auto bits = static_cast<uint32_t>(2 * std::bit_width(heaviest) + std::bit_width(set.weights.size()));
  return bits <= 63 ? 0 : (bits - 63 + 1) / 2;
}

uint64_t scaled(uint64_t weight, uint32_t shift) noexcept {
  return std::max<uint64_t>(weight >> shift, 1);
}

uint64_t square_sum(const WeightedSet& set, uint32_t shift) noexcept {
  uint64_t sum = 0;
  for (const uint64_t weight : set.weights) sum += scaled(weight, shift) * scaled(weight, shift);
  return sum;
}

}  // namespace

uint32_t cosine_millionths(const WeightedSet& a, const WeightedSet& b) noexcept {
  constexpr uint32_t kOne = 1'000'000;
  if (a.features.empty() || b.features.empty()) return a.features.size() == b.features.size() ? kOne : 0;
  const uint32_t shift_a = shift_of(a);
  const uint32_t shift_b = shift_of(b);
  Wide dot = 0;
  for (size_t i = 0, j = 0; i < a.features.size() && j < b.features.size();) {
    if (a.features[i] == b.features[j]) dot += Wide{scaled(a.weights[i], shift_a)} * scaled(b.weights[j], shift_b);
    const bool first = a.features[i] <= b.features[j];
    const bool second = b.features[j] <= a.features[i];
    i += first;
    j += second;
  }
  // The greatest m with m * |a| * |b| <= 10^6 * dot, by bisection on squares: (m^2 * |a|^2) * |b|^2 <= (10^6 * dot)^2. By Cauchy and
  // Schwarz dot < 2^63, so both sides are compared as products of two numbers, the larger ones in long division.
  const Wide norms = Wide{square_sum(a, shift_a)} * square_sum(b, shift_b);  // below 2^126
  const auto at_most = [&](uint64_t m) {
    // m^2 * norms <= 10^12 * dot^2; both are compared by quotient and remainder, as they may have 166 bits.
    const Wide left_factor = Wide{m} * m;                // below 2^40
    const Wide square = dot * dot;                       // below 2^126
    constexpr Wide kSquare = Wide{kOne} * kOne;          // below 2^40
    const auto high_low = [](Wide factor, Wide value) {  // factor * value as (high, low) in base 2^64
      const Wide low = factor * static_cast<uint64_t>(value);
      const Wide high = factor * static_cast<uint64_t>(value >> 64) + (low >> 64);
      return std::pair<Wide, uint64_t>(high, static_cast<uint64_t>(low));
    };
    return high_low(left_factor, norms) <= high_low(kSquare, square);
  };
  uint64_t low = 0;
  uint64_t high = kOne;
  while (low < high) {
    const uint64_t middle = (low + high + 1) / 2;
    if (at_most(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return static_cast<uint32_t>(low);
}

}  // namespace neardup
