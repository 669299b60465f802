// JoinPlan: how a Hamming self-join finds its candidates. Drawer principle: cut the bits into m blocks; of two codes that differ in at
// most k bits, at least m - k blocks agree. So every choice of m - k blocks is a table, and codes that agree in all blocks of a table are
// compared (Manku, Jain, Das Sarma 2007). No plan misses a pair; they differ in cost only.
//
// m = k + 1 gives k + 1 tables, the fewest; where their blocks are too narrow to tell many codes apart, more tables of wider keys cost
// less. One table without a key, which compares all with all, is a plan too.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/fingerprint.h"

namespace neardup {

struct JoinPlan {
  uint32_t radius = 0;  ///< pairs with this distance are still found
  uint32_t blocks = 1;  ///< at least 1, at most as many as there are bits
  uint32_t agree = 0;   ///< blocks - radius, or 0: compare all with all
};

/// The cheapest plan for so many codes of `bits` bits, if they were random. Codes that have more in common cost more, but lose nothing.
JoinPlan plan_join(uint32_t bits, uint32_t radius, uint64_t codes);

/// A table of a plan.
struct JoinTable {
  Fingerprint128 key;                   ///< the bits that must agree; of 64-bit codes, the low ones
  std::vector<Fingerprint128> earlier;  ///< blocks before its last that are not its own: a pair that agrees in one has an earlier table
};

/// All tables, in the order in which they claim pairs.
std::vector<JoinTable> join_tables(const JoinPlan& plan, uint32_t bits);

}  // namespace neardup
