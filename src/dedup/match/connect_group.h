// Components (--cluster components): documents that match, or are connected by documents that match, form a set; every member of a set is
// removed in favour of the best-ranked one, whether it matches that one or not (Removal::connected).
//
// A small group is compared pair by pair, a large one block by block (large_group.h). Unless a member meets the cap of a large group, both
// give the same answer, whatever the number of threads. A group is a span of ordinals in rank order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dedup/match/group_inputs.h"

namespace neardup {

/// Adds to the removals of `worker`.
void connect_small_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, GroupWorker& worker);

/// Uses in.threads threads. Adds to `stats`.
std::vector<Removal> connect_large_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, GroupStats& stats);

}  // namespace neardup
