#include "index/hamming_plan/hamming_flips.h"

#include <algorithm>
#include <compare>

namespace neardup {
namespace {

// The cost of a choice. `share` is the sum over its buckets of their share of the table, in units of 2^-kMaxHammingBlock: the number of
// compared codes. Both sums stay below 2^63: kMaxHammingProbes bounds the first, and a share is at most 2^(kMaxHammingBlock - 1).
struct Cost {
  uint64_t probes = 0;
  uint64_t share = 0;
  friend auto operator<=>(const Cost&, const Cost&) = default;
};

Cost table_cost(const HammingBlock& block, int32_t flips) {
  if (flips == kTableUnused) return {};
  const uint64_t probes = hamming_volume(block.width, static_cast<uint32_t>(flips));
  return {probes, probes << (kMaxHammingBlock - block.width)};
}

}  // namespace

uint64_t hamming_volume(uint32_t width, uint32_t flips) noexcept {
  uint64_t sum = 1;
  uint64_t ways = 1;  // width over i
  for (uint32_t i = 1; i <= std::min(flips, width); ++i) {
    if (ways > UINT64_MAX / width / 2) return kNoVolume;
    ways = ways * (width - i + 1) / i;
    sum += ways;
    if (sum >= uint64_t{1} << 63) return kNoVolume;
  }
  return sum;
}

std::vector<int32_t> hamming_flips(const HammingPlan& plan, uint32_t radius) {
  const size_t tables = plan.blocks.size();
  std::vector<int32_t> flips(tables);
  uint32_t reach = 0;
  for (size_t t = 0; t < tables; ++t) {
    flips[t] = static_cast<int32_t>(plan.blocks[t].flips);
    reach += plan.blocks[t].flips + 1;
  }
  const uint32_t need = radius + 1;
  if (reach <= need) return flips;

  // The knapsack from the last table to the first: least[need] is the minimum cost of covering `need` with the tables so far, and
  // chosen[t][need] the share of table t in that choice.
  std::vector<Cost> least(need + 1, {UINT64_MAX, 0});
  least[0] = {};
  std::vector<std::vector<int32_t>> chosen(tables, std::vector<int32_t>(need + 1, kTableUnused));
  for (size_t t = tables; t-- > 0;) {
    const HammingBlock& block = plan.blocks[t];
    const std::vector<Cost> rest = least;
    for (uint32_t n = 1; n <= need; ++n) {
      for (int32_t f = 0; f <= static_cast<int32_t>(block.flips); ++f) {
        const uint32_t left = n - std::min(n, static_cast<uint32_t>(f) + 1);
        if (rest[left].probes == UINT64_MAX) continue;
        const Cost own = table_cost(block, f);
        const Cost cost{own.probes + rest[left].probes, own.share + rest[left].share};
        if (cost > least[n] || (cost == least[n] && chosen[t][n] >= f)) continue;
        least[n] = cost;
        chosen[t][n] = f;
      }
    }
  }
  for (uint32_t t = 0, n = need; t < tables; ++t) {
    flips[t] = chosen[t][n];
    n -= std::min(n, static_cast<uint32_t>(flips[t] + 1));
  }
  return flips;
}

}  // namespace neardup
