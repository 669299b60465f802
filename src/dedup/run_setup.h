// RunSetup: the parts of a run before it reads its documents: recipes, pair strategy, indexes to compare with, journals.
#pragma once

#include <string>
#include <vector>

#include "dedup/checkpoint/checkpoint_directory.h"
#include "dedup/journals.h"
#include "dedup/match/candidates/pair_strategy.h"
#include "dedup/reference_indexes.h"
#include "dedup/run_context.h"
#include "dedup/sketchers.h"
#include "neardup/tools/summary.h"

namespace neardup {

/// The checkpoint directory of a run; see DedupRun.
struct CheckpointOptions {
  std::string path;  ///< empty: none
  std::vector<uint32_t> extend_after;
  CheckpointDirectory::Use use = CheckpointDirectory::Use::kAlone;
  const Options* stored = nullptr;  ///< the options of the run there, if they differ (rethreshold.h); null: those of this run
};

struct RunSetup {
  PairStrategy strategy;
  ReferenceIndexes indexes;
  Sketchers sketchers;
  DecidedSlices decided;
  Journals journals;
};

/// Announces the number of passes, and runs those that fit recipes to the corpus. `writes`: the last pass writes documents. Throws
/// Error{kUsage} when options contradict each other, or are not those of the run in the directory.
RunSetup set_up_run(const RunContext& context, PassClock& clock, const std::vector<std::string>& reference_indexes = {},
                    const CheckpointOptions& checkpoint = {}, bool writes = true);

/// A summary of how the run works, without results.
Summary begin_summary(const RunContext& context, const RunSetup& setup);
/// Adds what is known at the end: passes, peak memory, spilled bytes. `spilled_by_candidates`: the peak of all passes after pass 1.
void finish_summary(const PassClock& clock, const RunSetup& setup, const CorpusState& corpus, uint64_t spilled_by_candidates,
                    Summary& summary);

}  // namespace neardup
