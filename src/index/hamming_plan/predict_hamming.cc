#include <numeric>

#include "index/hamming_plan/bit_weights.h"
#include "index/hamming_plan/hamming_flips.h"
#include "index/hamming_plan/plan_work.h"
#include "neardup/tools/hamming_prediction.h"

namespace neardup {
namespace {

// What bits have in common would make strangers nearer, but nobody knows how much: a product of 64 factors is not an estimate. So each bit
// for itself.
double stranger_share(const HammingStatistics& statistics, uint32_t radius) {
  std::vector<double> differ(radius + 1, 0);
  differ[0] = 1;
  for (uint32_t b = 0; b < statistics.bits; ++b) {
    const double p = statistics.sampled == 0 ? 0.5 : static_cast<double>(statistics.ones[b]) / statistics.sampled;
    const double same = p * p + (1 - p) * (1 - p);
    for (uint32_t d = radius; d > 0; --d) differ[d] = differ[d] * same + differ[d - 1] * (1 - same);
    differ[0] *= same;
  }
  return std::accumulate(differ.begin(), differ.end(), 0.0);
}

}  // namespace

HammingPrediction predict_hamming(const HammingPlan& plan, const HammingStatistics& statistics, const MachineSpeed& speed) {
  const IndexWork work = plan_work(plan, BitWeights(statistics), statistics);
  const auto codes = static_cast<double>(statistics.distinct);
  HammingPrediction costs;
  costs.tables = work.tables;
  costs.probes = hamming_probes(plan, plan.radius);
  costs.bytes = static_cast<uint64_t>(work.bytes());
  costs.bytes_per_code = statistics.entries == 0 ? 0 : work.bytes() / static_cast<double>(statistics.entries);
  costs.candidates = work.sum.candidates;
  costs.query_ns = query_ns(work, speed, false);
  costs.batched_query_ns = query_ns(work, speed, true);
  costs.build_seconds = build_ns(work, statistics, speed) / 1e9;
  costs.self_join_seconds = self_join_ns(work, statistics, speed) / 1e9;
  const double share = stranger_share(statistics, plan.radius);
  costs.strangers_per_query = codes * share;
  costs.strangers_in_self_join = codes < 2 ? 0 : codes * (codes - 1) / 2 * share;
  costs.flat_query_ns = query_ns(flat_work(statistics), speed, true);
  return costs;
}

}  // namespace neardup
