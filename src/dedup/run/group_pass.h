// The pass "group": finds the documents of a slice, and kept ones of earlier slices, that may resemble one another.
#pragma once

#include <cstdint>
#include <vector>

#include "dedup/corpus_state.h"
#include "dedup/journals.h"
#include "dedup/match/candidates/candidates.h"
#include "dedup/reference_indexes.h"

namespace neardup {

struct Grouping {
  Candidates candidates;
  std::vector<IndexMatch> index_matches;  ///< documents of the slice with a match in an index, by document; they are not candidates
  uint64_t reference_entries = 0;         ///< of all indexes
};

/// Requires a corpus whose pass 1 is over. Finds its exact copies too (CorpusState::copy_of); frees its sketches when no slice follows.
/// Loads from the journals what they have, and saves the rest.
Grouping run_group_pass(const RunContext& context, PassClock& clock, const PairStrategy& strategy, const ReferenceIndexes& indexes,
                        const Journals& journals, CorpusState& corpus);

}  // namespace neardup
