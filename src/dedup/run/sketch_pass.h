// Pass 1: reads every document once: exact hashes, band keys, fingerprints, ids and ranks.
//
// It can be divided into tasks for several processes or machines that share a checkpoint directory: each writes one part of the journal.
#pragma once

#include <cstdint>
#include <vector>

#include "dedup/checkpoint/pass_journal.h"
#include "dedup/corpus_state.h"
#include "dedup/run_context.h"
#include "dedup/sketchers.h"
#include "neardup/dedup.h"

namespace neardup {

struct SketchPassInputs {
  const RunContext& context;
  const Sketchers& sketchers;
  PassJournal* journal = nullptr;  ///< stored batches are read from it, others are added; null: none
  bool only_stored = false;        ///< all batches are in the journal, and are read as one slice; more are an error
};

/// Adds the next slice (RunContext::slice_documents) to `corpus`, after the batches that it has; without slices, all documents. Fills the
/// counts of `summary`: read, rejected, repaired, short_texts, text_bytes, reference_documents, invalid_ids, duplicate_ids,
/// without_rank_value, slices, warnings. Rejected records go to the reject sink here, in input order. Throws Error{kInput} when the
/// rejected records fail the run (reject_tally.h).
void run_sketch_pass(const SketchPassInputs& inputs, PassClock& clock, CorpusState& corpus, Summary& summary);

/// The tasks of the pass, and which of them the journal has.
std::vector<TaskState> sketch_tasks(DocumentSource& source, const PassJournal& journal);
/// Puts the batches of a task into the journal, unless it has them. `sketches`: empty_sketches(). Requires a journal. Throws Error{kUsage}
/// for a task that does not exist.
void run_sketch_task(const SketchPassInputs& inputs, const Sketches& sketches, uint64_t task);

}  // namespace neardup
