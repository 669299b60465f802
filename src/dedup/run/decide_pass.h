// The pass "decide": which documents of a slice are removed, and their keepers.
//
// The rules are below dedup/match/: the scan rule in scan_group.h, components in connect_group.h, whether a pair matches in matcher.h.
#pragma once

#include "dedup/corpus_state.h"
#include "dedup/decisions.h"
#include "dedup/match/group_inputs.h"
#include "dedup/run/feature_pass.h"
#include "dedup/run/group_pass.h"

namespace neardup {

/// The input for solving the groups of candidates. `progress` may be null. All must outlive the result.
GroupInputs group_inputs(const RunContext& context, const PairStrategy& strategy, const CorpusState& corpus, const Candidates& candidates,
                         const CandidateFeatures& features, PassProgress* progress);

/// Decides the documents of the open slice against each other and those kept before. Moves the index matches out of `grouping`: there may
/// be as many as documents. `early`: what the pass "features" was given; null: nothing is solved yet.
Decisions run_decide_pass(const RunContext& context, PassClock& clock, const PairStrategy& strategy, const CorpusState& corpus,
                          Grouping& grouping, const CandidateFeatures& features, EarlyGroups* early = nullptr);

/// Disk space that a slice used for its candidates.
uint64_t spilled_bytes(const Candidates& candidates, const CandidateFeatures& features) noexcept;

}  // namespace neardup
