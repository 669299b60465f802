#include "dedup/run/decide_pass.h"

#include <utility>

#include "dedup/match/containment/containment_join.h"
#include "dedup/match/solve_groups.h"
#include "dedup/match/solve_unverified.h"
#include "dedup/pass/pass_progress.h"
#include "dedup/verdicts.h"

namespace neardup {

GroupInputs group_inputs(const RunContext& context, const PairStrategy& strategy, const CorpusState& corpus, const Candidates& candidates,
                         const CandidateFeatures& features, PassProgress* progress) {
  // A distance needs no verification, so there is nothing to cap. The exact search has no cap.
  const bool uncapped = context.options.joins_all() || strategy.judge == Judge::kHamming;
  GroupInputs in{{.table = corpus.table,
                  .candidates = candidates,
                  .features = features.features,
                  .weights = features.weights,
                  .strategy = strategy,
                  .threshold = context.options.threshold}};
  in.copy_of = corpus.copy_of;
  in.max_candidates = uncapped ? 0 : context.options.max_candidates;
  in.index_memory = context.memory.join_index;
  in.threads = context.threads;
  in.progress = progress;
  return in;
}

Decisions run_decide_pass(const RunContext& context, PassClock& clock, const PairStrategy& strategy, const CorpusState& corpus,
                          Grouping& grouping, const CandidateFeatures& features, EarlyGroups* early) {
  const Candidates& candidates = grouping.candidates;
  const Cluster cluster = context.options.cluster;
  Decisions slice;
  slice.first_batch = corpus.first_batch;
  slice.end_batch = corpus.table.batch_count();
  slice.first_document = corpus.table.open_begin();
  slice.end_document = corpus.table.size();
  slice.last = corpus.at_end;
  PassProgress progress(clock.monitor(), "decide", candidates.members.size());
  clock.timed("decide", [&] {
    if (strategy.unverified) {
      slice.removals = solve_groups_unverified(corpus.table, candidates, strategy.rule.lsh, cluster);
    } else if (early != nullptr) {
      slice.removals = early->solve_rest(&progress, slice.stats);
    } else {
      const GroupInputs in = group_inputs(context, strategy, corpus, candidates, features, &progress);
      slice.removals = strategy.judge == Judge::kContainment ? solve_contained(in, slice.stats) : solve_groups(in, cluster, slice.stats);
    }
    return features.features.total_features() * sizeof(uint64_t);
  });
  add_index_matches(grouping.index_matches, strategy.rule.bits, slice.removals);
  slice.index_matches = std::move(grouping.index_matches);
  slice.candidate_documents = candidates.documents.size();
  slice.largest_group = candidates.largest_group();
  slice.reference_entries = grouping.reference_entries;
  return slice;
}

uint64_t spilled_bytes(const Candidates& candidates, const CandidateFeatures& features) noexcept {
  return candidates.key_rows.spilled_bytes() + candidates.filter_rows.spilled_bytes() + features.features.spilled_bytes() +
         features.weights.spilled_bytes();
}

}  // namespace neardup
