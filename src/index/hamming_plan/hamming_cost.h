// Work and cost of a table, a query and a self-join of the Hamming index. The planner and the predictions share these formulas.
//
// Doubles, but only +, -, * and / in a fixed order (no function of the mathematical library, whose last bits differ by machine; the build
// forbids contraction), because plans depend on them.
#pragma once

#include <cstdint>

#include "index/hamming_plan/bit_weights.h"
#include "neardup/tools/hamming_prediction.h"

namespace neardup {

/// A table of a plan in numbers.
struct TableShape {
  uint32_t width = 0;
  uint32_t flips = 0;
  double reach = 0;  ///< the probability that a code is in a bucket that a query reads
};

/// The mean work of a query in a table, and the table's size.
struct TableWork {
  double probes = 0;
  double directory_lines = 0;  ///< lines of the directory read: adjacent buckets share one
  double code_lines = 0;       ///< places in the codes read
  double more_lines = 0;       ///< further lines read
  double candidates = 0;
  double join_buckets = 0;  ///< of a self-join: pairs of buckets
  double directory_bytes = 0;
  double code_bytes = 0;
};
TableWork table_work(const TableShape& table, uint32_t bits, uint64_t distinct);

struct IndexWork {
  TableWork sum;  ///< over all tables
  uint32_t tables = 0;
  double id_bytes = 0;
  double flat_bytes = 0;  ///< of the codes, when there are no tables
  [[nodiscard]] double bytes() const noexcept { return sum.directory_bytes + sum.code_bytes + id_bytes + flat_bytes; }
};
/// Without tables yet: the ids only.
IndexWork no_tables(const HammingStatistics& statistics);
void add_tables(IndexWork& work, const TableWork& table, uint32_t tables);
/// With no tables at all, every code is a candidate.
IndexWork flat_work(const HammingStatistics& statistics);

/// For a plan at its radius, by the weights of the bits of its blocks.
IndexWork plan_work(const HammingPlan& plan, const BitWeights& weights, const HammingStatistics& statistics);

double query_ns(const IndexWork& work, const MachineSpeed& speed, bool batched);
double build_ns(const IndexWork& work, const HammingStatistics& statistics, const MachineSpeed& speed);
double self_join_ns(const IndexWork& work, const HammingStatistics& statistics, const MachineSpeed& speed);

/// e^-x for x >= 0, to four digits.
double decay(double x) noexcept;

}  // namespace neardup
