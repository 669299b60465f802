// match_kept(): finds for each later member of a group the first kept one that it matches. Later members are not compared with each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dedup/match/group_inputs.h"

namespace neardup {

/// `group`: the kept members in rank order, then the later ones, which must be decided (DocumentTable::decided), so that they are not
/// compared. Uses in.threads threads. Adds to `stats`. A later member that meets the cap may miss its match.
std::vector<Removal> match_kept(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, uint32_t kept,
                                GroupStats& stats);

}  // namespace neardup
