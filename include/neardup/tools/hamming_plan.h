// HammingPlan: how an index finds all codes within a radius of a query, and its cost. Any plan is exact: plans differ only in cost.
//
// A plan cuts some of the bits into disjoint blocks, one table each. The table of a block holds all codes in buckets by the value of the
// block, and a query reads the buckets whose value differs from its own in at most `flips` bits. Pigeonhole principle, general form (Qin et
// al. 2018): a code that no table finds differs in at least flips + 1 bits of every block, so in at least the sum of flips + 1 over all
// blocks. A plan whose sum exceeds the radius therefore misses nothing. The bits between the blocks belong to no table.
//
// Example: 64 bits, radius 3, two blocks of 26 bits with 1 flip each: 2 + 2 > 3, and a query reads 27 + 27 buckets.
//
// Blocks are of the reordered code: the planner puts bits with little information (nearly constant in the data) outside of all blocks.
//
// plan_hamming() chooses a plan from the number of codes and the statistics of their bits:
//
//   const auto statistics = neardup::hamming_statistics(std::span<const neardup::Fingerprint64>(codes));
//   const neardup::HammingPlan plan = neardup::plan_hamming(statistics, 3, {});
//
// The same statistics, radius and budget give the same plan on every machine: nothing is measured, and all sums are made of additions,
// multiplications and divisions of doubles in a fixed order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/tools/hamming_statistics.h"

namespace neardup {

struct HammingBlock {
  uint32_t begin = 0;  ///< its lowest place in the reordered code
  uint32_t width = 0;  ///< bits, 1 to kMaxHammingBlock
  uint32_t flips = 0;  ///< at most width
  friend bool operator==(const HammingBlock&, const HammingBlock&) = default;
};

/// A table has a directory of 2^width buckets.
inline constexpr uint32_t kMaxHammingBlock = 36;
inline constexpr uint32_t kMaxHammingBlocks = 32;
/// Maximum probes (buckets read) per query, over all tables.
inline constexpr uint64_t kMaxHammingProbes = uint64_t{1} << 22;

struct HammingPlan {
  uint32_t bits = 64;                     ///< 64 or 128
  uint32_t radius = 0;                    ///< the largest that queries may ask for
  std::vector<uint8_t> order = {};        ///< the bit of the code at each place of the reordered one; empty: no reordering
  std::vector<HammingBlock> blocks = {};  ///< ascending, disjoint; empty: no tables, a query compares with every code
  friend bool operator==(const HammingPlan&, const HammingPlan&) = default;
};

/// Empty for a valid plan, which misses nothing and keeps the bounds above; otherwise the problem, in one line.
std::string hamming_plan_problem(const HammingPlan& plan);

/// The number of buckets that a query with this radius (at most that of the plan) reads.
uint64_t hamming_probes(const HammingPlan& plan, uint32_t radius);

/// The operation to make fast.
enum class HammingUse {
  kQuery,     ///< one query
  kSelfJoin,  ///< all pairs once, and the building before it
};

struct HammingPlanBudget {
  HammingUse use = HammingUse::kQuery;
  double bytes_per_code = 0;  ///< of the whole index, ids included; 0: 30 for 64 bits, 100 for 128
};

/// Below this many codes, comparing with all of them takes a microsecond: no tables.
inline constexpr uint64_t kHammingFlat = 2048;

/// The plan with the least predicted work within the budget; without blocks if comparing with every code is the least, or all that the
/// budget allows. Requires statistics.bits 64 or 128, radius <= bits. Takes tenths of a millisecond for uniform codes, and milliseconds,
/// with 128 bits and large radii tens of them, for skewed ones.
HammingPlan plan_hamming(const HammingStatistics& statistics, uint32_t radius, const HammingPlanBudget& budget);

}  // namespace neardup
