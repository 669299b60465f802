#include "index/hamming_plan/plan_work.h"

#include <numeric>

#include "index/hamming_plan/hamming_flips.h"

namespace neardup {

IndexWork plan_work(const HammingPlan& plan, const BitWeights& weights, const HammingStatistics& statistics) {
  if (plan.blocks.empty()) return flat_work(statistics);
  std::vector<uint8_t> order = plan.order;
  if (order.empty()) {
    order.resize(plan.bits);
    std::iota(order.begin(), order.end(), uint8_t{0});
  }
  const std::vector<int32_t> flips = hamming_flips(plan, plan.radius);
  IndexWork work = no_tables(statistics);
  for (size_t t = 0; t < flips.size(); ++t) {
    const HammingBlock& block = plan.blocks[t];
    TableShape shape{block.width, block.flips, 0};
    if (flips[t] != kTableUnused) {
      shape.flips = static_cast<uint32_t>(flips[t]);
      shape.reach = weights.reach(std::span(order).subspan(block.begin, block.width), shape.flips);
    }
    TableWork table = table_work(shape, plan.bits, statistics.distinct);
    if (flips[t] == kTableUnused) table = {.directory_bytes = table.directory_bytes, .code_bytes = table.code_bytes};
    add_tables(work, table, 1);
  }
  return work;
}

}  // namespace neardup
