// Solves groups: from candidates to removals, by the scan rule (scan_group.h) or by components (connect_group.h).
//
// Small groups are solved in parallel, each by one worker; large ones one after the other, in parallel inside.
#pragma once

#include <cstddef>
#include <vector>

#include "dedup/match/for_groups.h"
#include "dedup/match/group_inputs.h"
#include "dedup/match/group_results.h"
#include "neardup/options.h"

namespace neardup {

/// Removals of all groups, by document.
std::vector<Removal> solve_groups(const GroupInputs& in, Cluster cluster, GroupStats& stats, size_t small_group = kSmallGroup);

}  // namespace neardup
