// Solves groups without verification (--verify false): a shared band is a match.
#pragma once

#include <vector>

#include "dedup/corpus/document_table.h"
#include "dedup/match/candidates/candidates.h"
#include "dedup/match/group_results.h"
#include "index/lsh/lsh_plan.h"
#include "neardup/options.h"

namespace neardup {

/// Removals of all groups, by document, as solve_groups().
std::vector<Removal> solve_groups_unverified(const DocumentTable& table, const Candidates& candidates, const LshPlan& plan,
                                             Cluster cluster);

}  // namespace neardup
