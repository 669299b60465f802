// predict_hamming: predicts the cost of an index with a plan, before it is built.
//
//   const auto statistics = neardup::HammingStatistics::uniform(64, 1'000'000'000);
//   const auto plan = neardup::plan_hamming(statistics, 3, {});
//   const neardup::HammingPrediction costs = neardup::predict_hamming(plan, statistics, {});
//
// The planner weighs plans by the same formulas with the constants of MachineSpeed{}; a measured speed changes predictions, never plans.
#pragma once

#include <array>
#include <cstdint>

#include "neardup/tools/hamming_plan.h"

namespace neardup {

/// The cost of operations on one core, in nanoseconds. The defaults are of a 2.5 GHz Xeon whose dependent random read takes 170 ns.
struct MachineSpeed {
  /// A level of the memory serves data sets of at most `bytes`.
  struct Level {
    double bytes;         ///< infinity: 1e30
    double read_ns;       ///< a random line, with many reads in flight
    double dependent_ns;  ///< the same when the next address depends on it
  };
  /// L2, L3, memory, memory beyond the reach of the TLB.
  std::array<Level, 4> levels{{{2e6, 4, 6}, {3.2e7, 7, 40}, {1e9, 12, 170}, {1e30, 17, 200}}};
  double next_line_ns = 4;        ///< the next line
  double query_ns = 60;           ///< fixed cost of a query
  double probe_ns = 8;            ///< a bucket looked up: prefix, place, count
  double compare_ns = 0.8;        ///< a code of a bucket
  double scan_byte_ns = 0.08;     ///< a byte of codes, compared one after the other
  double scan_cached_ns = 0.015;  ///< the same when all codes fit into the first level
  double flat_pair_ns = 0.1;      ///< a pair of codes, compared in tiles
  double build_code_ns = 20;      ///< of building, a code
  double build_table_ns = 30;     ///< and a code in a table
  double bucket_pair_ns = 3.5;    ///< of a self-join, two buckets brought together
  double pair_compare_ns = 0.25;  ///< and two codes of them

  /// Measures levels and scan on this machine in less than half a second; other values keep their defaults.
  static MachineSpeed measured();
};

/// Times are those of one core. Assumes uniform codes unless the statistics say otherwise; actual neighbours add to the cost.
struct HammingPrediction {
  uint32_t tables = 0;
  uint64_t probes = 0;  ///< buckets a query looks into
  uint64_t bytes = 0;
  double bytes_per_code = 0;
  double candidates = 0;  ///< codes a query compares with
  double query_ns = 0;
  double batched_query_ns = 0;  ///< a query in a batch, whose reads overlap
  double build_seconds = 0;
  double self_join_seconds = 0;
  double strangers_per_query = 0;  ///< false candidates: random codes within the radius
  double strangers_in_self_join = 0;
  double flat_query_ns = 0;  ///< a comparison with every code
};

/// At the plan's radius. Requires a plan without a problem, of as many bits.
HammingPrediction predict_hamming(const HammingPlan& plan, const HammingStatistics& statistics, const MachineSpeed& speed);

}  // namespace neardup
