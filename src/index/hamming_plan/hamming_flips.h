// hamming_flips: the tables that answer a query, and the flips of each, for a radius below that of the plan.
//
// Sufficient condition: the sum of (flips + 1) over the tables used exceeds the radius (see hamming_plan.h). All code for a plan and a
// radius (query, join, the rule that assigns a hit to one table) must take its flips from here, so that they agree.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/tools/hamming_plan.h"

namespace neardup {

/// In hamming_flips(): the table is not used.
inline constexpr int32_t kTableUnused = -1;

/// The flips of every table, kTableUnused to those of the plan. Of all sufficient choices, the one with the fewest buckets; of those, the
/// one with the smallest buckets; of those, the one that uses the first tables most (the first one has the ids). Takes microseconds: call
/// it once per run and radius, not per query. When the plan does not reach the radius: all its flips.
std::vector<int32_t> hamming_flips(const HammingPlan& plan, uint32_t radius);

/// The number of values that differ from a given one of `width` bits in at most `flips`; kNoVolume if it is 2^63 or more.
uint64_t hamming_volume(uint32_t width, uint32_t flips) noexcept;
inline constexpr uint64_t kNoVolume = UINT64_MAX;

}  // namespace neardup
