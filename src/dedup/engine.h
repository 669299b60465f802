// Engine: what dedup() and pairs() have in common: options resolved, the memory shared out, passes 1 and 2, the clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dedup/corpus/document_table.h"
#include "dedup/corpus/feature_store.h"
#include "dedup/decisions.h"
#include "dedup/fit/corpus_frequencies.h"
#include "dedup/grouped.h"
#include "dedup/match/candidates.h"
#include "dedup/match/groups.h"
#include "dedup/match/matcher.h"
#include "dedup/match/pair_choice.h"
#include "dedup/pass/batch_line.h"
#include "dedup/reference_indexes.h"
#include "dedup/run_folder/pass_journal.h"
#include "dedup/run_folder/run_folder.h"
#include "dedup/sketch_pass.h"
#include "index/lsh/band_keys.h"
#include "neardup/dedup.h"
#include "neardup/sketcher.h"

namespace neardup {

/// How a memory budget is shared out. The parts are upper bounds; a run that needs less takes less.
struct MemoryPlan {
  explicit MemoryPlan(const Options& options);
  uint64_t total;
  uint64_t band_keys;    ///< beyond: spilled
  uint64_t filter_rows;  ///< beyond: spilled
  uint64_t grouping;     ///< beyond: several ranges of keys
  uint64_t features;     ///< beyond: spilled
  uint64_t sorting;      ///< beyond: sorted runs on disk
};

/// What an Engine works on; see DedupRun.
struct EngineRun {
  DocumentSource& source;
  uint32_t reference_sources = 0;
  RejectSink* rejects = nullptr;
  PassMonitor monitor;
  std::vector<std::string> reference_indexes{};
  std::string run_folder{};
  std::vector<uint32_t> extend_behind{};
  RunFolder::Use folder_use = RunFolder::Use::kAlone;
  uint64_t slice_documents = 0;  ///< Options::batch, for a run in slices
};

class Engine {
 public:
  /// Throws Error{kUsage} when options contradict each other, or are not those of the run in the folder.
  Engine(const Options& options, EngineRun run);

  /// Pass 1 over the next slice; without slices, over all. `sketches`: false when the decisions are known, and only the documents,
  /// all of them, are wanted.
  void read_documents(bool sketches = true);
  /// False if another slice follows.
  [[nodiscard]] bool at_end() const noexcept { return at_end_; }
  /// Pass 2 over the slice and what lies before it; afterwards candidates and features are there. Requires read_documents().
  void find_candidates();
  /// The run folder has what was decided about the slice.
  void take_decided();
  /// The slice is decided; of its documents only those that stay are needed by the next one. `removals` are at least those of the slice,
  /// sorted by document.
  void settle(std::span<const Removal> removals);
  /// Lowers the announced number of passes.
  void spare_passes(uint32_t passes) noexcept { known.pass_count -= std::min(known.pass_count, passes); }
  /// True if pairs are judged by the features of both: a pass reads them.
  [[nodiscard]] bool reads_features() const noexcept { return !choice.unverified && choice.judge != Judge::kHamming; }
  /// Frees what find_candidates() made, in memory and on the disk, once it is decided.
  void forget_candidates();
  /// Null without a run folder.
  [[nodiscard]] const RunFolder* folder() const noexcept { return folder_ ? &*folder_ : nullptr; }
  /// How many batches the run folder has all that pass 1 makes of, from the first on, if they are all that it has; else 0.
  [[nodiscard]] uint64_t sketched_batches() const noexcept {
    return sketch_journal_ && sketch_journal_->complete() ? sketch_journal_->end() : 0;
  }
  /// The tasks of pass 1 (list_tasks()). Requires a run folder.
  [[nodiscard]] std::vector<TaskState> tasks();
  void run_task(uint64_t task);
  /// Of the recipes together, as fitted: what the files of the run folder are marked with.
  [[nodiscard]] uint64_t sketch_id() const;
  /// Reports progress to `steps` (may be null).
  [[nodiscard]] Matcher matcher(PassSteps* steps = nullptr) const;
  /// Of the pass that solves the groups.
  [[nodiscard]] PassSteps group_steps(std::string name) const;

  /// Times what `work` does and adds it to the summary's passes. `work` returns the bytes that it went through.
  template <typename Work>
  void timed(const std::string& name, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    ++known.pass_number;
    if (monitor.progress) monitor.progress(monitor.begin(name));  // rates count from here
    const uint64_t bytes = work();
    add_pass(name, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), bytes);
  }
  /// Fills what is known at the end: peak memory, spilled bytes.
  void finish_summary();

  Options options;
  DocumentSource& source;
  uint32_t threads;
  MemoryPlan memory;
  std::optional<Sketcher> sketcher;
  std::optional<Sketcher> also;  ///< of the second recipe
  Progress known;                ///< what every report says
  PassMonitor monitor;
  RejectSink* rejects;
  Summary summary;
  PairChoice choice;
  DocumentTable table;
  std::vector<uint32_t> copy_of;  ///< find_exact_copies(), of the slices that are decided at least
  ReferenceIndexes indexes;
  std::vector<Decisions> decided;  ///< slices that the run folder has; none for a task
  std::vector<Witness> witnesses;  ///< in the indexes, for documents of the slice, by document
  Candidates candidates;
  FeatureStore features;
  FeatureStore weights;  ///< of the features, under Judge::kCosine

 private:
  // With slices, a pass is what it did for all of them.
  void add_pass(const std::string& name, double seconds, uint64_t bytes);
  void warn_of_documents();
  void make_sketches();
  [[nodiscard]] LinkRun link_run() const;
  [[nodiscard]] SketchPassInputs sketch_inputs(bool only_stored);
  void open_folder(const EngineRun& run, const Recipe& recipe, const std::optional<Recipe>& second);
  void fit(Recipe recipe, std::optional<Recipe> second);
  void check_exact_search_memory() const;
  [[nodiscard]] GroupedSlice slice() const;
  void note_copies();
  void find_groups();
  // True if the run folder has them.
  bool take_groups();
  void find_witnesses();
  [[nodiscard]] uint64_t spilled_for_candidates() const noexcept;

  std::optional<FittedRecipe> fitted_;  // own the tables of the sketchers
  std::optional<FittedRecipe> fitted_also_;
  std::optional<RunFolder> folder_;
  std::optional<PassJournal> sketch_journal_;
  Sketches sketches_;
  SketchPassRejects pass_rejects_;
  uint64_t slice_documents_;
  bool at_end_ = false;
  uint64_t read_bytes_ = 0;          // of the input, by pass 1
  uint64_t slice_batch_ = 0;         // the first of the slice
  uint64_t settled_removals_ = 0;    // no copies of reference documents
  uint64_t spilled_sketches_ = 0;    // at most at one time, as both of these
  uint64_t spilled_candidates_ = 0;  // by what is there no more
};

}  // namespace neardup
