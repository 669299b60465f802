// Pass 1: read everything once; exact hashes, band keys, ids and ranks of all documents.
#pragma once

#include <memory>
#include <span>

#include "dedup/corpus/document_table.h"
#include "dedup/match/candidates.h"
#include "dedup/pass/batch_line.h"
#include "dedup/report/reject_tally.h"
#include "dedup/run_folder/pass_journal.h"
#include "neardup/dedup.h"
#include "neardup/sketcher.h"

namespace neardup {

struct SketchPassInputs {
  DocumentSource& source;
  const Sketcher& sketcher;
  const Sketcher* also = nullptr;  ///< of the second recipe; null: none
  Sketches& sketches;              ///< what to make; empty: only exact hashes (Search::kExact)
  uint32_t threads = 1;
  uint64_t group_memory_bytes = 0;  ///< for grouping ids
  RejectSink* rejects = nullptr;
  const PassMonitor& monitor;
  PassJournal* journal = nullptr;  ///< batches that it has are taken from it, the others are put into it; null: none
  bool only_stored = false;        ///< all are in the journal; more are an error
  uint64_t slice = 0;              ///< stop after the batch that makes so many documents; 0: all
};

/// Rejected records of all slices of a run.
struct SketchPassRejects {
  explicit SketchPassRejects(const RejectLimit& limit) : inputs(limit), reference(limit, " of the reference corpus") {}
  RejectTally inputs;
  RejectTally reference;
};

/// Continues after the batches that `table` has. Fills it and the counts of `summary`: read, rejected, repaired, short_texts, text_bytes,
/// reference_documents, invalid_ids, duplicate_ids, without_rank_value, warnings; adds the bytes of input to `read_bytes`. Rejected records
/// go to the reject sink here, in input order. Returns true at the end of the source; then the table is finished. Throws Error{kInput} when
/// the rejected records fail the run (reject_tally.h).
bool run_sketch_pass(const SketchPassInputs& inputs, DocumentTable& table, SketchPassRejects& rejects, Summary& summary,
                     uint64_t& read_bytes);

/// Puts the batches of the source from number `first` on into the journal, unless it has them, and does nothing else.
void sketch_part(const SketchPassInputs& inputs, std::span<const std::unique_ptr<Batch>> batches, uint64_t first);

}  // namespace neardup
