// CorpusState: what a run stores about the documents it has read so far, slice by slice; a run without slices has one slice.
//
// Pass 1 adds a slice (sketch_pass.h), the pass "group" finds its copies (group_pass.h), close_slice() ends it. Changed by one thread,
// between the parallel parts of the passes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dedup/corpus/document_table.h"
#include "dedup/corpus/sketches.h"
#include "dedup/match/candidates/pair_strategy.h"
#include "dedup/match/group_results.h"
#include "dedup/report/reject_tally.h"
#include "dedup/run_context.h"

namespace neardup {

struct CorpusState {
  /// `made`: what pass 1 makes (empty_sketches()); without any it makes exact hashes only. `copies`: find_exact_copies() of the documents
  /// that an earlier process decided about.
  CorpusState(const RunContext& context, Sketches made, std::vector<uint32_t> copies = {});

  DocumentTable table;
  Sketches sketches;                ///< of the open slice, and of kept documents of earlier ones
  std::vector<uint32_t> copy_of;    ///< find_exact_copies(), of the slices that were grouped at least
  RejectTally rejected;             ///< records of all slices
  RejectTally rejected_references;  ///< the same of the reference corpus
  bool at_end = false;              ///< no slice follows the open one
  uint64_t read_bytes = 0;          ///< of the input
  uint64_t first_batch = 0;         ///< of the open slice
  uint64_t decided_removals = 0;    ///< of closed slices; without copies of reference documents
  uint64_t spilled_bytes = 0;       ///< of sketches, at most at one time
};

/// The stores of the sketches that pairs are found by.
Sketches empty_sketches(const RunContext& context, const PairRule& rule);

/// Call it when the copies of the open slice are known: reports how many documents will be removed, and drops the exact hashes if no later
/// slice needs them.
void note_copies(CorpusState& corpus, Progress& totals);

/// Ends the slice: drops the sketches of removed documents, which later slices do not need. `removals` contains at least this slice's
/// removals, sorted by document.
void close_slice(CorpusState& corpus, std::span<const Removal> removals);

}  // namespace neardup
