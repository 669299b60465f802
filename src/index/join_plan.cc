#include "index/join_plan.h"

#include <algorithm>
#include <cmath>

namespace neardup {
namespace {

// Measured on one core; only their ratio matters.
constexpr double kGroupNs = 150;    // to put a code into its place in a table
constexpr double kCompareNs = 0.5;  // to compare two codes that share a key
constexpr uint32_t kMaxTables = 5000;

// n over k, or more than kMaxTables.
uint64_t choose(uint64_t n, uint64_t k) noexcept {
  uint64_t ways = 1;
  for (uint64_t i = 1; i <= k && ways <= kMaxTables; ++i) ways = ways * (n - k + i) / i;
  return ways;
}

Fingerprint128 bits_between(uint32_t begin, uint32_t end) noexcept {
  Fingerprint128 mask;
  for (uint32_t bit = begin; bit < end; ++bit) (bit < 64 ? mask.low : mask.high) |= uint64_t{1} << (bit % 64);
  return mask;
}

}  // namespace

JoinPlan plan_join(uint32_t bits, uint32_t radius, uint64_t codes) {
  const double count = static_cast<double>(codes);
  const double all_pairs = count * count / 2 * kCompareNs;
  JoinPlan best{radius, 1, 0};
  double least = all_pairs;
  for (uint32_t blocks = radius + 1; blocks <= bits && radius < bits; ++blocks) {
    const uint64_t tables = choose(blocks, radius);
    if (tables > kMaxTables) break;
    const uint32_t agree = blocks - radius;
    const double key_bits = static_cast<double>(bits) * agree / blocks;
    const double cost = static_cast<double>(tables) * (count * kGroupNs + all_pairs * std::exp2(-key_bits));
    if (cost >= least) continue;
    least = cost;
    best = {radius, blocks, agree};
  }
  return best;
}

std::vector<JoinTable> join_tables(const JoinPlan& plan, uint32_t bits) {
  if (plan.agree == 0) return {JoinTable{}};
  std::vector<Fingerprint128> blocks;
  for (uint32_t b = 0; b < plan.blocks; ++b) blocks.push_back(bits_between(bits * b / plan.blocks, bits * (b + 1) / plan.blocks));

  std::vector<JoinTable> tables;
  std::vector<bool> chosen(plan.blocks, false);
  std::fill_n(chosen.begin(), plan.agree, true);
  do {  // every choice once, the first blocks first
    JoinTable table;
    uint32_t left = plan.agree;
    for (uint32_t b = 0; left > 0; ++b) {
      if (chosen[b]) {
        table.key.low |= blocks[b].low;
        table.key.high |= blocks[b].high;
        --left;
      } else {
        table.earlier.push_back(blocks[b]);
      }
    }
    tables.push_back(std::move(table));
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return tables;
}

}  // namespace neardup
