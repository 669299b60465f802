// Solves large groups block by block: the members of a block are compared in parallel with the remaining members of earlier blocks, and
// with each other; then one thread decides the block in rank order. A BlockSearch finds the members to compare.
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
