// expected_removals(): the share of the documents of each source that a run would remove, from a consistent sample.
//
// The sample is deduplicated with the options. It misses some removals, because a document may be in it without its keeper: of a pair of
// similarity s under the sampling key, with a probability of 1 - s. So the lower bound counts the removals as they are, and the likely
// value counts each as 1 / s; the bounds also have the uncertainty of a sample of whole keys (95 %). Of a whole corpus all three are the
// same.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "jobs/tune/near_sample.h"
#include "neardup/options.h"
#include "neardup/tools/tune.h"
#include "text/clean/cleaner.h"

namespace neardup {

/// `sources`: their names and documents. `cleaners`: applied to a text before its key was made.
TuneExpected expected_removals(std::span<const NearSample::Document> sample, bool whole_corpus, double share, const Options& options,
                               std::span<const TuneCorpus::Source> sources, const CleanChain& cleaners = {});

}  // namespace neardup
