// pairs(): all pairs of documents with a similarity at or above the threshold, end to end.
//
// Reads the source in the same passes as dedup(), and gives the same bytes for any number of threads, instruction set and memory budget.
#pragma once

#include "neardup/options.h"
#include "neardup/sink.h"
#include "neardup/tools/run_hooks.h"
#include "neardup/tools/summary.h"

namespace neardup {

struct PairsRun : RunHooks {
  PairSink* sink = nullptr;  ///< not owned; null: pairs are only counted
};

/// Under Measure::kContainment a pair is ordered: the first document is contained in the second, by the share that is its similarity; two
/// documents may be a pair in both orders. Exact copies pair with 1. Throws Error; then nothing was committed.
Summary pairs(const Options& options, const PairsRun& run);

}  // namespace neardup
