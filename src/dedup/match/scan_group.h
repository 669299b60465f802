// The scan rule: scan the documents of a group in rank order and keep one unless a kept one matches it; a removed document names the first
// kept one, in rank order, that it matches.
//
// A small group is compared pair by pair, a large one block by block (large_group.h). Unless a member meets the cap of a large group, both
// give the same answer, whatever the number of threads. A group is a span of ordinals in rank order. Two decided documents (of the
// reference corpus, or of an earlier slice) are not compared; a copy of a reference document is never kept; a protected document is kept
// although its match is recorded as a removal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dedup/match/group_inputs.h"

namespace neardup {

/// Adds to the removals and to just_below of `worker`.
void scan_small_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, GroupWorker& worker);

/// Uses in.threads threads. Adds to `stats`.
std::vector<Removal> scan_large_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, GroupStats& stats);

}  // namespace neardup
