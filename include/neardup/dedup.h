// dedup(): finds near-duplicates and decides which documents are kept, end to end.
//
// Reads the source in passes (sketch; features of candidates; output) and gives the same bytes for any number of threads, instruction set
// and memory budget. The scan rule defines the kept documents: scan the documents in rank order and keep each one unless a kept one matches
// it. A removed document names the first kept one, in rank order, that it matches.
//
// Implemented in src/jobs/dedup.cc; require_extensible() in src/dedup/checkpoint/checkpoint_directory.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "neardup/options.h"
#include "neardup/recipe.h"
#include "neardup/sink.h"
#include "neardup/tools/run_hooks.h"
#include "neardup/tools/summary.h"

namespace neardup {

struct DedupRun : RunHooks {
  /// The number of leading sources that are the reference corpus (against): always kept, never compared with each other, never output.
  uint32_t reference_sources = 0;
  /// Index folders (HammingStore) whose entries are reference documents too: documents within Options::max_distance of one are removed. The
  /// source of the i-th is source i, which has no documents; see name_sources(). In a verdict its row is the id of the entry.
  std::vector<std::string> reference_indexes;
  /// Checkpoint directory, which must exist: empty, or of the same run, which is resumed then. Empty: none. Throws Error{kUsage} that names
  /// a change since the run began. See docs/big-runs.md.
  std::string checkpoint_directory;
  /// Existing folder that gets the record of the run (neardup/tools/run_record.h). Empty: the checkpoint directory, if there is one.
  std::string record_directory;
  /// Numbers of sources that the stored run may have had when it last worked: if it had one of them, the sources after these are new, and
  /// all of them are added. Empty: new sources are an error.
  std::vector<uint32_t> extend_after;
  /// Decides the run of the checkpoint directory again, with this threshold and the bands of the run; its options are those of the run. The
  /// directory, which must have a run, is only read, and needs no pass over the input for sketches. Throws Error{kUsage} if the threshold
  /// is below that of the run, or does not decide there. See docs/big-runs.md.
  std::optional<Threshold> rethreshold = std::nullopt;
  std::shared_ptr<const void> hold;  ///< hold_checkpoint_directory(checkpoint_directory); null: dedup() itself takes the lock
  std::vector<Sink*> sinks;          ///< not owned; committed together at the end
};

/// Locks a checkpoint directory until the result is destroyed: for callers with work to do before dedup(), such as opening outputs. Throws
/// Error{kOutput} when another process uses it.
std::shared_ptr<const void> hold_checkpoint_directory(const std::string& directory);

/// Throws Error{kUsage} if the run in the directory cannot get more documents (DedupRun::extend_after) because of its recipe.
void require_extensible(const Recipe& recipe, const std::string& directory);

/// Throws Error; then nothing was committed. With no sinks (and no rejects), everything is decided and nothing written: a dry run.
Summary dedup(const Options& options, const DedupRun& run);

/// The tasks that the first pass over a source can be cut into, for several processes or machines that share a checkpoint directory and the
/// source. Each task writes one file, the same on every machine. dedup() with that directory then continues after them. Throws what dedup()
/// throws.
struct TaskState {
  uint64_t first_batch = 0;
  uint64_t batches = 0;
  bool done = false;
};
std::vector<TaskState> list_tasks(const Options& options, const DedupRun& run);
/// Begins the run in its checkpoint directory, and lists its tasks.
std::vector<TaskState> prepare_tasks(const Options& options, const DedupRun& run);
/// Does one task; nothing if it is done. Throws Error{kUsage} for a task that does not exist.
void run_task(const Options& options, const DedupRun& run, uint64_t task);

}  // namespace neardup
