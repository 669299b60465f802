// Large groups, block by block: the members of a block look in parallel at what the blocks before have left in, and at each other; then the
// block is decided in rank order by one thread. Through what they look is a BlockSearch's matter.
//
// Each function solves one group, given in rank order, as groups.h says. Their work is parallel inside.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dedup/match/groups.h"

namespace neardup {

std::vector<Removal> scan_large_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, GroupStats& stats);
std::vector<Removal> connect_large_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, GroupStats& stats);
void join_large_group(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group, const EmitPair& emit,
                      GroupStats& stats);

}  // namespace neardup
