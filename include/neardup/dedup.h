// dedup() and pairs(): the two jobs, end to end.
//
// Both read the source in passes (sketch; features of candidates; output) and give the same bytes for any number of threads,
// instruction set and memory budget. What is kept is defined by the scan rule: go through the documents in rank order and keep
// a document unless a kept one matches it. A removed document names the first kept one, in rank order, that it matches.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/document.h"
#include "neardup/options.h"
#include "neardup/recipe.h"
#include "neardup/sink.h"
#include "neardup/source.h"
#include "neardup/tools/rejects.h"

namespace neardup {

struct PassReport {
  std::string name;
  double seconds = 0;
  uint64_t bytes = 0;  ///< of text or data that the pass went through
};

/// What a run did. read == kept + removed + rejected, always.
struct Summary {
  uint64_t read = 0;
  uint64_t kept = 0;
  uint64_t removed = 0;
  uint64_t rejected = 0;
  RejectCounts rejected_by_kind;  ///< add up to rejected
  uint64_t exact_copies = 0;      ///< removed as exact copies
  uint64_t near_duplicates = 0;   ///< removed by similarity
  uint64_t connected = 0;         ///< removed although below the threshold to their keeper (cluster = components)
  uint64_t short_texts = 0;       ///< matched by exact hash only (law 5)
  uint64_t repaired = 0;          ///< texts with malformed UTF-8 or lone surrogates, read as U+FFFD
  uint64_t malformed_texts = 0;   ///< of these, text files with bytes that are not of their charset
  uint64_t invalid_ids = 0;       ///< documents whose id is neither a string nor a number; they count as without one
  uint64_t duplicate_ids = 0;
  uint64_t without_rank_value = 0;   ///< documents without a number at the field of max: or min:
  uint64_t reference_documents = 0;  ///< documents of the corpus given by against; in none of the counts above
  uint64_t reference_rejected = 0;   ///< of these, records that could not be read
  RejectCounts reference_rejected_by_kind;
  uint64_t reference_entries = 0;  ///< of the indexes given by against
  uint64_t reference_matches = 0;  ///< documents removed because of one of these
  uint64_t text_bytes = 0;         ///< of all texts that were read, the reference corpus included
  uint64_t pairs = 0;              ///< pairs(): reported pairs
  uint64_t candidate_documents = 0;
  uint64_t verifications = 0;
  uint64_t capped_documents = 0;  ///< documents that met max_candidates
  uint64_t largest_group = 0;     ///< documents connected by shared bands, at most
  uint32_t slices = 0;            ///< that the corpus was decided in (Options::batch)
  uint32_t bands = 0;
  uint32_t rows_per_band = 0;
  uint32_t fingerprint_bits = 0;  ///< 0: no fingerprints were compared
  uint32_t max_distance = 0;      ///< of fingerprints, inclusive
  double predicted_miss = 0;      ///< probability that a pair exactly at the threshold shares no band (the signature filter adds 1e-6)
  uint64_t spilled_bytes = 0;
  uint64_t peak_memory_bytes = 0;
  uint64_t recipe_id = 0;
  std::string recipe_name;
  std::string kernels;
  uint32_t threads = 0;
  std::vector<PassReport> passes;
  std::vector<std::string> warnings;  ///< one line each, the first few of every kind, with source and line

  [[nodiscard]] std::string to_json() const;
  [[nodiscard]] std::string to_text() const;  ///< for people, several lines
};

/// Called from one thread at a time, at most a few times a second.
struct Progress {
  std::string_view pass;
  uint64_t bytes_done = 0;
  uint64_t bytes_total = 0;  ///< 0: unknown
  uint64_t documents = 0;
  uint64_t steps_done = 0;   ///< of a pass that reads no input: grouping, deciding
  uint64_t steps_total = 0;  ///< 0: it reads
  uint64_t duplicates = 0;   ///< documents that will be removed, as far as it is known: exact copies after grouping, all after deciding
  uint64_t rejected = 0;     ///< records so far
  RejectCounts rejected_by_kind{};
  uint32_t pass_number = 0;  ///< from 1; 0: the run does not count its passes
  uint32_t pass_count = 0;   ///< at most so many; 0: unknown
};

struct DedupRun {
  DocumentSource* source = nullptr;  ///< not owned
  /// The first so many sources are the reference corpus (against): always kept, never compared with each other, never output.
  uint32_t reference_sources = 0;
  /// Index folders (HammingStore) whose entries are reference documents too: what is within Options::max_distance of one is removed. The
  /// source of the i-th is source i, which has no documents; see name_sources(). In a verdict its row is the id of the entry.
  std::vector<std::string> reference_indexes;
  /// A folder that exists, in which the run leaves what it has done: empty, or of the same run, which then goes on from there. Empty: none.
  /// Throws Error{kUsage} that names what is not as it was when the run began. See docs/big-runs.md.
  std::string run_folder;
  /// The source may have more sources at its end than when the run in the folder was last at work, if it had one of these numbers of them
  /// then: what came later is added as a whole. Empty: it may not.
  std::vector<uint32_t> extend_behind;
  std::shared_ptr<const void> hold;  ///< hold_run_folder(run_folder); null: dedup() itself keeps others out
  std::vector<Sink*> sinks;          ///< not owned; committed together at the end
  RejectSink* rejects = nullptr;
  std::function<void(const Progress&)> progress;
  std::function<bool()> stop;  ///< asked from any thread, several at once; true ends the run with Error{kStopped}: neardup/stop.h
};

/// Keeps other processes out of a run folder as long as the result lives: for callers that have to do something before dedup(), such as
/// opening outputs. Throws Error{kOutput} when another process is at work in it.
std::shared_ptr<const void> hold_run_folder(const std::string& folder);

/// Throws Error{kUsage} if the run in the folder cannot get more documents (DedupRun::extend_behind) because of its recipe.
void require_extensible(const Recipe& recipe, const std::string& folder);

/// Throws Error; then nothing was committed. With no sinks (and no rejects), everything is decided and nothing written: a dry run.
Summary dedup(const Options& options, const DedupRun& run);

/// The tasks that the first pass over a source can be cut into, for several processes or machines that see the same run folder and the
/// same source: each writes one file, which is the same whoever makes it. dedup() with the folder then continues after them.
/// Throws what dedup() throws.
struct TaskState {
  uint64_t first_batch = 0;
  uint64_t batches = 0;
  bool done = false;
};
std::vector<TaskState> list_tasks(const Options& options, const DedupRun& run);
/// Begins the run in its folder, and lists its tasks.
std::vector<TaskState> prepare_tasks(const Options& options, const DedupRun& run);
/// Does one of them; nothing if it is done. Throws Error{kUsage} for a task that is not there.
void run_task(const Options& options, const DedupRun& run, uint64_t task);

struct PairsRun {
  DocumentSource* source = nullptr;
  PairSink* sink = nullptr;
  RejectSink* rejects = nullptr;
  std::function<void(const Progress&)> progress;
  std::function<bool()> stop;  ///< asked from any thread: neardup/stop.h
};

/// All pairs with similarity at or above the threshold; exact copies pair with 1.
Summary pairs(const Options& options, const PairsRun& run);

}  // namespace neardup
