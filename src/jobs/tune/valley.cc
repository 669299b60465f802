#include "jobs/tune/valley.h"

#include <algorithm>

namespace neardup {

std::optional<size_t> find_valley(const PairDensities& pairs, size_t first, size_t last) noexcept {
  constexpr uint64_t kEnough = 30;  // pairs at or above the range
  uint64_t above = 0;
  for (size_t band = first; band < pairs.size(); ++band) above += pairs[band];
  if (above < kEnough) return std::nullopt;
  size_t lowest = last;
  for (size_t band = last; band-- > first;) {
    if (pairs[band] < pairs[lowest]) lowest = band;
  }
  const uint64_t most_above = *std::max_element(pairs.begin() + static_cast<ptrdiff_t>(lowest), pairs.end());
  const uint64_t limit = pairs[lowest] + pairs[lowest] / 4 + 2;  // 2: of a handful of pairs, a quarter is chance
  if (most_above <= limit) return std::nullopt;
  size_t valley = lowest;
  while (valley > first && pairs[valley - 1] <= limit) --valley;
  return valley;
}

}  // namespace neardup
