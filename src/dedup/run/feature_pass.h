// The pass "features": computes the features of the candidates again, from the same text in the same way as pass 1, in input order.
#pragma once

#include "dedup/corpus/feature_store.h"
#include "dedup/corpus_state.h"
#include "dedup/journals.h"
#include "dedup/match/candidates/candidates.h"
#include "dedup/match/early_groups.h"
#include "dedup/run_context.h"
#include "dedup/sketchers.h"

namespace neardup {

struct FeaturePassInputs {
  const RunContext& context;
  const PairStrategy& strategy;
  const Sketchers& sketchers;
  const Journals& journals;
  const CorpusState& corpus;
  const Candidates& candidates;
};

/// By the ordinals of the candidates.
struct CandidateFeatures {
  explicit CandidateFeatures(const RunContext& context)
      : features(context.memory.features, context.options.temp_dir), weights(context.memory.features, context.options.temp_dir) {}

  FeatureStore features;
  FeatureStore weights;  ///< of the features, in their order; empty unless PairStrategy::weighted()
};

/// Fills `made`, which is empty. Does nothing, without a pass, if pairs are not judged by features or there are no candidates. `early`: is
/// told what arrives, and solves groups between batches; null: nothing is solved yet. Throws Error{kResource} when an exact search would
/// take too much memory.
void run_feature_pass(const FeaturePassInputs& inputs, PassClock& clock, CandidateFeatures& made, EarlyGroups* early = nullptr);

}  // namespace neardup
