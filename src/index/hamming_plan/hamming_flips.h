// hamming_flips: which tables of a plan answer a query, and with how many flips each, when it asks for less than the plan's radius.
//
// What is enough: the sum of (flips + 1) over the tables used exceeds the radius (see hamming_plan.h). Everything that works with a plan
// and a radius (query, join, the rule that gives a hit to one table only) must take its flips from here, so that they agree.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/tools/hamming_plan.h"

namespace neardup {

/// In hamming_flips(): the table is not used.
inline constexpr int32_t kTableUnused = -1;

/// The flips of every table, kTableUnused to those of the plan. Of all choices that suffice the one that looks into the fewest buckets; of
/// those, the one whose buckets are the narrowest (their tables hold the fewest codes a bucket); of those, the one that leaves the most to
/// the first tables (the first one knows its ids). Costs microseconds: ask once a run and radius, not once a query.
/// When the plan does not reach the radius: all its flips.
std::vector<int32_t> hamming_flips(const HammingPlan& plan, uint32_t radius);

/// How many values differ from one of `width` bits in at most `flips`; kNoVolume when they are 2^63 or more.
uint64_t hamming_volume(uint32_t width, uint32_t flips) noexcept;
inline constexpr uint64_t kNoVolume = UINT64_MAX;

}  // namespace neardup
