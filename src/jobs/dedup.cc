#include "neardup/dedup.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/open_file.h"
#include "dedup/guards.h"
#include "dedup/match_warnings.h"
#include "dedup/pass/outputs.h"
#include "dedup/record/record_layout.h"
#include "dedup/record/run_record_writer.h"
#include "dedup/rethreshold.h"
#include "dedup/run/decide_pass.h"
#include "dedup/run/feature_pass.h"
#include "dedup/run/group_pass.h"
#include "dedup/run/output_pass.h"
#include "dedup/run/sketch_pass.h"
#include "dedup/run_setup.h"
#include "dedup/verdicts.h"
#include "neardup/error.h"
#include "neardup/stop.h"

namespace neardup {
namespace {

// The state of a run once everything is decided.
struct Decided {
  CorpusState corpus;
  Decisions decisions;
  uint64_t spilled_by_candidates = 0;  // at most at one time
};

void check_fits(const CorpusState& corpus, const Decisions& slice, const CheckpointDirectory& directory) {
  const DocumentTable& table = corpus.table;
  if (slice.end_batch == table.batch_count() && slice.end_document == table.size() && slice.last == corpus.at_end) return;
  throw Error(
      ErrorCode::kInput,
      fmt::format("the input changed since the run in '{}' began: it decided {} documents in {} batches, but now there are {} in {}",
                  directory.path(), slice.end_document, slice.end_batch, table.size(), table.batch_count()));
}

// True if an earlier process decided about all documents: only the outputs are missing.
bool all_decided(const RunSetup& setup) {
  const std::vector<Decisions>& slices = setup.decided.slices;
  return !slices.empty() && slices.back().last && slices.back().end_batch == setup.journals.sketched_batches();
}

// The passes that decide: group, perhaps features, decide.
uint32_t deciding_passes(const RunSetup& setup) {
  return setup.strategy.reads_features() ? 3 : 2;
}

// Loads the documents from the journal of pass 1; the decisions are already loaded.
Decided load_decisions(const RunContext& context, PassClock& clock, RunSetup& setup, Summary& summary) {
  Decided decided{.corpus = CorpusState(context, Sketches{}, std::move(setup.decided.copy_of)), .decisions = {}};
  decided.decisions.slices = 0;
  for (Decisions& slice : setup.decided.slices) decided.decisions.append(std::move(slice));
  run_sketch_pass({.context = context, .sketchers = setup.sketchers, .journal = setup.journals.sketches(), .only_stored = true}, clock,
                  decided.corpus, summary);
  clock.skip_passes(deciding_passes(setup));
  check_fits(decided.corpus, decided.decisions, *setup.journals.checkpoint_directory());
  return decided;
}

// The passes group, features and decide over the open slice. Afterwards candidates and their features are freed, in memory and on disk.
Decisions decide_slice(const RunContext& context, PassClock& clock, const RunSetup& setup, Decided& decided) {
  CorpusState& corpus = decided.corpus;
  Grouping grouping = run_group_pass(context, clock, setup.strategy, setup.indexes, setup.journals, corpus);
  CandidateFeatures features(context);
  std::optional<EarlyGroups> early;
  if (setup.strategy.decides_by_group()) {
    early.emplace(group_inputs(context, setup.strategy, corpus, grouping.candidates, features, nullptr), context.options.cluster,
                  features.features, features.weights);
  }
  EarlyGroups* const solver = early ? &*early : nullptr;
  run_feature_pass({.context = context,
                    .strategy = setup.strategy,
                    .sketchers = setup.sketchers,
                    .journals = setup.journals,
                    .corpus = corpus,
                    .candidates = grouping.candidates},
                   clock, features, solver);
  Decisions slice = run_decide_pass(context, clock, setup.strategy, corpus, grouping, features, solver);
  decided.spilled_by_candidates = std::max(decided.spilled_by_candidates, spilled_bytes(grouping.candidates, features));
  setup.journals.save_decided(corpus, slice);
  return slice;
}

// Slice by slice; without slices, all documents are one. Reuses leading slices that an earlier process decided.
Decided decide_slices(const RunContext& context, PassClock& clock, RunSetup& setup, Summary& summary) {
  std::vector<Decisions> known = std::move(setup.decided.slices);
  Decided decided{.corpus = CorpusState(context, empty_sketches(context, setup.strategy.rule), std::move(setup.decided.copy_of)),
                  .decisions = {}};
  CorpusState& corpus = decided.corpus;
  Decisions& decisions = decided.decisions;
  decisions.slices = 0;
  for (size_t number = 0; decisions.slices == 0 || !corpus.at_end; ++number) {
    if (number > 0) {
      close_slice(corpus, decisions.removals);
      setup.journals.thin_sketches(corpus);
    }
    run_sketch_pass({.context = context, .sketchers = setup.sketchers, .journal = setup.journals.sketches()}, clock, corpus, summary);
    if (number >= known.size()) {
      decisions.append(decide_slice(context, clock, setup, decided));
      continue;
    }
    check_fits(corpus, known[number], *setup.journals.checkpoint_directory());
    clock.skip_passes(deciding_passes(setup));
    note_copies(corpus, clock.totals());
    if (corpus.at_end) corpus.sketches = {};
    decisions.append(std::move(known[number]));
  }
  return decided;
}

// If nothing is verified, or only the distance of fingerprints, matches may be false.
void warn_of_unverified(const RunContext& context, const RunSetup& setup, const Decided& decided, Summary& summary) {
  const bool by_distance = setup.strategy.judge == Judge::kHamming;
  if (!by_distance && !setup.strategy.unverified) return;
  const CorpusState& corpus = decided.corpus;
  warn_of_one_keeper({context.source, corpus.table, corpus.copy_of, setup.sketchers.recipe(), by_distance}, decided.decisions.removals,
                     decided.decisions.index_matches, summary);
}

// The folder of the record; empty: none is written. The record of the run that a threshold is applied to stays as it is.
std::string record_directory(const DedupRun& run) {
  return run.record_directory.empty() && !run.rethreshold ? run.checkpoint_directory : run.record_directory;
}

// A pipe or a device of that name would be written to instead of being replaced.
std::string replaceable(const std::string& directory, std::string_view name) {
  std::string path = directory + "/" + std::string(name);
  const PathKind kind = path_kind(path);
  if (kind == PathKind::kMissing || kind == PathKind::kFile) return path;
  throw Error(ErrorCode::kOutput, fmt::format("cannot write '{}': it exists and is not a file", path));
}

// What a run leaves in a folder for RunRecord. Without one, nothing.
class StoredRecord {
 public:
  StoredRecord(const RunContext& context, const DedupRun& run, const Recipe& recipe) {
    const std::string directory = record_directory(run);
    if (directory.empty()) return;
    summary_path_ = replaceable(directory, record::kSummaryName);
    rows_.emplace(RunRecordWriter::Place{.path = replaceable(directory, record::kFileName),
                                         .temp_dir = context.options.temp_dir,
                                         .memory_bytes = context.memory.sorting},
                  recipe, context.source, static_cast<uint32_t>(run.reference_indexes.size()), run.reference_sources);
  }
  [[nodiscard]] Sink* sink() noexcept { return rows_ ? &*rows_ : nullptr; }
  void finish_rows() {
    if (rows_) rows_->finish();
  }
  /// After finish_rows().
  void finish(Summary& summary) {
    if (!rows_) return;
    summary.spilled_bytes += rows_->spilled_bytes();
    summary_.emplace(summary_path_);
    summary_->append(summary.to_json() + "\n");
  }
  void add_to(Outputs& outputs) {
    if (!rows_) return;
    outputs.add(&*summary_);
    outputs.add(&*rows_);
  }

 private:
  std::string summary_path_;
  std::optional<RunRecordWriter> rows_;
  std::optional<AtomicFile> summary_;
};

// The record is last: it says that the outputs are there.
void commit_outputs(const DedupRun& run, StoredRecord& record) {
  Outputs outputs;
  for (Sink* sink : run.sinks) outputs.add(sink);
  outputs.add(run.rejects);
  record.add_to(outputs);
  outputs.commit();
}

RunContext context_of(const Options& options, const DedupRun& run, const PassClock& clock) {
  check_slices(options);
  return RunContext(options, run, clock, run.reference_sources, options.batch);
}

// `stored`: of the run that a threshold is applied to (DedupRun::rethreshold), else null.
RunSetup set_up(const RunContext& context, PassClock& clock, const DedupRun& run, CheckpointDirectory::Use use,
                const Options* stored = nullptr) {
  return set_up_run(context, clock, run.reference_indexes,
                    {.path = run.checkpoint_directory, .extend_after = run.extend_after, .use = use, .stored = stored},
                    !run.sinks.empty() || !record_directory(run).empty());
}

CheckpointDirectory::Use alone(const DedupRun& run) {
  return run.hold ? CheckpointDirectory::Use::kHeld : CheckpointDirectory::Use::kAlone;
}

std::vector<TaskState> tasks(const Options& options, const DedupRun& run, CheckpointDirectory::Use use) {
  const StopScope scope(&run.stop);
  PassClock clock(run.progress);
  const RunContext context = context_of(options, run, clock);
  const RunSetup setup = set_up(context, clock, run, use);
  return sketch_tasks(context.source, *setup.journals.sketches());
}

}  // namespace

std::shared_ptr<const void> hold_checkpoint_directory(const std::string& directory) {
  return lock_checkpoint_directory(directory);
}

Summary dedup(const Options& given, const DedupRun& run) {
  if (run.rethreshold && run.checkpoint_directory.empty()) {
    throw Error(ErrorCode::kUsage, "rethreshold: requires the checkpoint directory of a run");
  }
  const StopScope scope(&run.stop);
  PassClock clock(run.progress);
  const Options options = run.rethreshold ? rethresholded(given, *run.rethreshold, run.checkpoint_directory) : given;
  const std::shared_ptr<const void> hold = run.rethreshold && !run.hold ? hold_checkpoint_directory(run.checkpoint_directory) : run.hold;
  const RunContext context = context_of(options, run, clock);
  RunSetup setup =
      run.rethreshold ? set_up(context, clock, run, CheckpointDirectory::Use::kRead, &given) : set_up(context, clock, run, alone(run));
  Summary summary = begin_summary(context, setup);

  Decided decided = all_decided(setup) ? load_decisions(context, clock, setup, summary) : decide_slices(context, clock, setup, summary);
  const CorpusState& corpus = decided.corpus;
  Decisions& decisions = decided.decisions;
  decisions.count(summary);
  warn_of_unverified(context, setup, decided, summary);

  const Verdicts verdicts(corpus.table, corpus.copy_of, std::move(decisions.removals), removal_measure(options, setup.strategy),
                          decisions.index_matches);
  verdicts.count(context.source, summary);
  check_guards({options, context.source, corpus.table, verdicts}, summary);
  warn_of_just_below(decisions.stats.just_below, options, summary);
  warn_of_idle_protection(options, summary);
  clock.totals().duplicates = summary.removed;
  StoredRecord record(context, run, setup.sketchers.recipe());
  std::vector<Sink*> sinks = run.sinks;
  if (record.sink() != nullptr) sinks.push_back(record.sink());
  if (!sinks.empty()) {
    clock.timed("output", [&] {
      run_output_pass(context, corpus.table, verdicts, sinks);
      record.finish_rows();
      return summary.text_bytes;
    });
  }
  finish_summary(clock, setup, corpus, decided.spilled_by_candidates, summary);
  record.finish(summary);
  commit_outputs(run, record);
  return summary;
}

std::vector<TaskState> list_tasks(const Options& options, const DedupRun& run) {
  return tasks(options, run, CheckpointDirectory::Use::kShared);
}

std::vector<TaskState> prepare_tasks(const Options& options, const DedupRun& run) {
  return tasks(options, run, alone(run));
}

void run_task(const Options& options, const DedupRun& run, uint64_t task) {
  const StopScope scope(&run.stop);
  PassClock clock(run.progress);
  const RunContext context = context_of(options, run, clock);
  const RunSetup setup = set_up(context, clock, run, CheckpointDirectory::Use::kShared);
  run_sketch_task({.context = context, .sketchers = setup.sketchers, .journal = setup.journals.sketches()},
                  empty_sketches(context, setup.strategy.rule), task);
}

}  // namespace neardup
