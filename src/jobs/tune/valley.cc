#include "jobs/tune/valley.h"

#include <algorithm>

namespace neardup {
namespace {

constexpr double kSameCohesion = 1e-3;
constexpr double kHoldsTogether = 0.5;  // if no band reaches it, the sample is all chains, and fewer of them mean nothing

bool enough_to_tell(const PairDensities& pairs, size_t first) noexcept {
  constexpr uint64_t kEnough = 30;  // pairs at or above the range
  uint64_t above = 0;
  for (size_t band = first; band < pairs.size(); ++band) above += pairs[band];
  return above >= kEnough;
}

}  // namespace

std::optional<ChosenBand> choose_band(const PairDensities& pairs, const PairCohesion& cohesion, size_t first, size_t last) noexcept {
  if (!enough_to_tell(pairs, first)) return std::nullopt;
  const double best =
      *std::max_element(cohesion.begin() + static_cast<ptrdiff_t>(first), cohesion.begin() + static_cast<ptrdiff_t>(last) + 1);
  const auto holds = [&](size_t band) { return best < kHoldsTogether || cohesion[band] >= best - kSameCohesion; };
  size_t lowest = first;
  while (!holds(lowest)) ++lowest;
  size_t end = lowest;  // of the bands next to it that hold together as well
  while (end < last && holds(end + 1)) ++end;
  if (const std::optional<size_t> valley = find_valley(pairs, lowest, end); valley && end > lowest)
    return ChosenBand{*valley, ChosenBand::kValley};
  if (lowest == first && end == last) return std::nullopt;
  return ChosenBand{lowest, ChosenBand::kCohesion};
}

std::optional<size_t> find_valley(const PairDensities& pairs, size_t first, size_t last) noexcept {
  if (!enough_to_tell(pairs, first)) return std::nullopt;
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
