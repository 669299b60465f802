// The join by containment: which documents are contained in which others. Every pair is verified by all features.
//
// PairStrategy::containment_sample says which pairs are looked at: those that the samples of the contained documents find, or all that can
// match (Search::kExact), so that none is missed.
//
// solve_contained() follows the scan rule: scan the documents in rank order and keep one unless a kept one contains it. A removed document
// names the first kept one, in rank order, that contains it. It scans the *containers* in rank order: when their turn comes, their fate is
// known, and those that are kept remove what they contain after them. join_contained() lists all pairs.
//
// Both index a slice of the documents that may be contained (ContainmentIndex), as many as fit into the memory, and probe it with every
// possible container. So neither the answer nor the number of verifications depends on the memory, or on threads. One block always fits.
// What a pair means is in ContainmentRule.
#pragma once

#include <vector>

#include "dedup/match/group_inputs.h"
#include "dedup/match/group_results.h"
#include "dedup/match/join_groups.h"

namespace neardup {

/// Removals by document; in each, size_a is the number of features of the removed document. Requires candidates in at most one group, and
/// Judge::kContainment.
std::vector<Removal> solve_contained(const GroupInputs& in, GroupStats& stats);

/// Calls emit(worker, contained, container, overlap) once for every ordered pair, from several threads, in no fixed order.
void join_contained(const GroupInputs& in, const EmitPair& emit, GroupStats& stats);

}  // namespace neardup
