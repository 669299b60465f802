#include "neardup/dedup.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "dedup/decisions.h"
#include "dedup/engine.h"
#include "dedup/groups.h"
#include "dedup/keep_policy.h"
#include "dedup/output_pass.h"
#include "dedup/verdicts.h"
#include "neardup/error.h"

namespace neardup {

namespace {

EngineRun engine_run(const DedupRun& job, RunFolder::Use folder_use) {
  return {.source = *job.source,
          .reference_sources = job.reference_sources,
          .rejects = job.rejects,
          .monitor = {job.progress, job.stop},
          .reference_indexes = job.reference_indexes,
          .run_folder = job.run_folder,
          .extend_behind = job.extend_behind,
          .folder_use = folder_use};
}

RunFolder::Use alone(const DedupRun& job) {
  return job.hold ? RunFolder::Use::kHeld : RunFolder::Use::kAlone;
}

// The documents of one slice against each other and those kept before.
void decide_slice(Engine& engine, Decisions& decisions) {
  engine.find_candidates();
  PassSteps steps = engine.group_steps("decide");
  std::vector<Removal> removals;
  engine.timed("decide", [&] {
    removals = engine.choice.unverified
                   ? solve_groups_unverified(engine.table, engine.candidates, engine.choice.rule.lsh, engine.options.cluster)
                   : solve_groups(engine.matcher(&steps), engine.options.cluster, engine.threads, decisions.stats);
    return engine.features.total_features() * sizeof(uint64_t);
  });
  add_witnesses(engine.witnesses, decisions.witnesses.size(), engine.choice.rule.bits, removals);
  decisions.removals.insert(decisions.removals.end(), removals.begin(), removals.end());
  std::ranges::move(engine.witnesses, std::back_inserter(decisions.witnesses));
  engine.forget_candidates();
}

// Everything between the documents and the outputs. Requires that the first slice is read, and reads the others.
Decisions decide(Engine& engine) {
  Decisions decisions;
  decide_slice(engine, decisions);
  while (!engine.at_end()) {
    engine.settle(decisions.removals);
    engine.read_documents();
    decide_slice(engine, decisions);
  }
  decisions.batches = engine.table.batch_count();
  decisions.copy_of = std::move(engine.copy_of);
  decisions.candidate_documents = engine.summary.candidate_documents;
  decisions.largest_group = engine.summary.largest_group;
  decisions.reference_entries = engine.summary.reference_entries;
  return decisions;
}

// A document of an earlier slice must not come to be removed, nor be wanted again, because of one that comes later.
void check_slices(const Options& options) {
  if (options.batch == 0) return;
  const auto refuse = [&](std::string_view what) {
    throw Error(ErrorCode::kUsage, fmt::format("batch: {} decides about all documents at once, not {} at a time", what, options.batch));
  };
  if (!KeepPolicy::parse(options.keep).is_input_order()) refuse(fmt::format("keep '{}'", options.keep));
  if (options.cluster == Cluster::kComponents) refuse("cluster 'components'");
  if (options.search == Search::kExact) refuse("search 'exact'");
}

// What the run folder has of them counts only with all that they were made of.
Decisions load_or_decide(Engine& engine) {
  std::optional<Decisions> decisions;
  if (engine.folder() != nullptr) decisions = Decisions::load(*engine.folder(), engine.sketch_id());
  if (decisions && decisions->batches != engine.sketched_batches()) decisions.reset();  // a part is missing: all is done again
  if (decisions) engine.spare_passes(engine.reads_features() ? 3 : 2);                  // group, decide, perhaps features
  engine.read_documents(!decisions);
  if (decisions && decisions->copy_of.size() == engine.table.size()) return std::move(*decisions);
  if (decisions) {
    throw Error(ErrorCode::kInput, fmt::format("the run in '{}' decided about {} documents, and the input has {}", engine.folder()->path(),
                                               decisions->copy_of.size(), engine.table.size()));
  }
  Decisions made = decide(engine);
  if (engine.folder() != nullptr) made.save(*engine.folder(), engine.sketch_id());
  return made;
}

}  // namespace

std::shared_ptr<const void> hold_run_folder(const std::string& folder) {
  return lock_run_folder(folder);
}

Summary dedup(const Options& options, const DedupRun& job) {
  check_slices(options);
  Engine engine(options, engine_run(job, alone(job)));
  if (job.sinks.empty()) engine.spare_passes(1);
  Decisions decisions = load_or_decide(engine);
  decisions.count(engine.summary);

  const Verdicts verdicts(engine.table, decisions.copy_of, std::move(decisions.removals),
                          engine.choice.unverified ? engine.choice.rule.lsh : LshPlan{}, decisions.witnesses);
  verdicts.count(engine.summary);
  engine.known.duplicates = engine.summary.removed;
  if (!job.sinks.empty()) {
    engine.timed("output", [&] {
      run_output_pass(engine.source, engine.table, verdicts, job.sinks, engine.threads, engine.monitor);
      return engine.summary.text_bytes;
    });
  }
  Outputs outputs;
  for (Sink* sink : job.sinks) outputs.add(sink);
  outputs.add(job.rejects);
  outputs.commit();
  engine.finish_summary();
  return std::move(engine.summary);
}

std::vector<TaskState> list_tasks(const Options& options, const DedupRun& job) {
  return Engine(options, engine_run(job, RunFolder::Use::kShared)).tasks();
}

std::vector<TaskState> prepare_tasks(const Options& options, const DedupRun& job) {
  return Engine(options, engine_run(job, alone(job))).tasks();
}

void run_task(const Options& options, const DedupRun& job, uint64_t task) {
  Engine(options, engine_run(job, RunFolder::Use::kShared)).run_task(task);
}

}  // namespace neardup
