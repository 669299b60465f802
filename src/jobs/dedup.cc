#include "neardup/dedup.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "dedup/corpus/keep_policy.h"
#include "dedup/decisions.h"
#include "dedup/engine.h"
#include "dedup/grouped.h"
#include "dedup/just_below_warning.h"
#include "dedup/keeper_warning.h"
#include "dedup/match/groups.h"
#include "dedup/output_pass.h"
#include "dedup/slice_options.h"
#include "dedup/verdicts.h"
#include "neardup/error.h"
#include "neardup/stop.h"

namespace neardup {

namespace {

EngineRun engine_run(const Options& options, const DedupRun& job, RunFolder::Use folder_use) {
  check_slices(options);
  return {.source = *job.source,
          .reference_sources = job.reference_sources,
          .rejects = job.rejects,
          .monitor = {job.progress},
          .reference_indexes = job.reference_indexes,
          .run_folder = job.run_folder,
          .extend_behind = job.extend_behind,
          .folder_use = folder_use,
          .slice_documents = options.batch};
}

RunFolder::Use alone(const DedupRun& job) {
  return job.hold ? RunFolder::Use::kHeld : RunFolder::Use::kAlone;
}

// The documents of the slice against each other and those kept before.
Decisions decide_slice(Engine& engine, const Decisions& before) {
  engine.find_candidates();
  Decisions slice;
  slice.first_batch = before.end_batch;
  slice.end_batch = engine.table.batch_count();
  slice.first_document = before.end_document;
  slice.end_document = engine.table.size();
  slice.last = engine.at_end();
  PassSteps steps = engine.group_steps("decide");
  engine.timed("decide", [&] {
    slice.removals = engine.choice.unverified
                         ? solve_groups_unverified(engine.table, engine.candidates, engine.choice.rule.lsh, engine.options.cluster)
                         : solve_groups(engine.matcher(&steps), engine.options.cluster, engine.threads, slice.stats);
    return engine.features.total_features() * sizeof(uint64_t);
  });
  add_witnesses(engine.witnesses, engine.choice.rule.bits, slice.removals);
  slice.witnesses = std::move(engine.witnesses);
  slice.candidate_documents = engine.candidates.documents.size();
  slice.largest_group = engine.candidates.largest_group();
  slice.reference_entries = engine.summary.reference_entries;
  engine.forget_candidates();
  return slice;
}

void check_fits(const Engine& engine, const Decisions& slice) {
  if (slice.end_batch == engine.table.batch_count() && slice.end_document == engine.table.size() && slice.last == engine.at_end()) return;
  throw Error(
      ErrorCode::kInput,
      fmt::format("the input changed since the run in '{}' began: it decided about {} documents in {} batches, and now there are {} in {}",
                  engine.folder()->path(), slice.end_document, slice.end_batch, engine.table.size(), engine.table.batch_count()));
}

// Everything between the documents and the outputs, slice by slice; what the run folder has of it is taken from there.
Decisions load_or_decide(Engine& engine) {
  std::vector<Decisions> known = std::exchange(engine.decided, {});
  const bool all = !known.empty() && known.back().last && known.back().end_batch == engine.sketched_batches();
  if (all) engine.spare_passes(engine.reads_features() ? 3 : 2);  // group, decide, perhaps features
  Decisions decisions;
  decisions.slices = 0;
  if (all) {
    for (Decisions& slice : known) decisions.append(std::move(slice));
    engine.read_documents(false);
    check_fits(engine, decisions);
    return decisions;
  }
  for (size_t number = 0; decisions.slices == 0 || !engine.at_end(); ++number) {
    if (number > 0) engine.settle(decisions.removals);
    engine.read_documents();
    if (number < known.size()) {
      check_fits(engine, known[number]);
      engine.take_decided();
      decisions.append(std::move(known[number]));
      continue;
    }
    Decisions slice = decide_slice(engine, decisions);
    if (engine.folder() != nullptr) {
      slice.save(*engine.folder(), engine.sketch_id(), engine.copy_of);
      Grouped::remove(*engine.folder(), slice.first_batch);
    }
    decisions.append(std::move(slice));
  }
  return decisions;
}

}  // namespace

std::shared_ptr<const void> hold_run_folder(const std::string& folder) {
  return lock_run_folder(folder);
}

Summary dedup(const Options& options, const DedupRun& job) {
  const StopScope scope(&job.stop);
  Engine engine(options, engine_run(options, job, alone(job)));
  if (job.sinks.empty()) engine.spare_passes(1);
  Decisions decisions = load_or_decide(engine);
  decisions.count(engine.summary);
  if (const bool by_distance = engine.choice.judge == Judge::kHamming; by_distance || engine.choice.unverified) {
    warn_of_one_keeper({engine.source, engine.table, engine.copy_of, engine.sketcher->recipe(), by_distance}, decisions.removals,
                       decisions.witnesses, engine.summary);
  }

  const Verdicts verdicts(engine.table, engine.copy_of, std::move(decisions.removals),
                          engine.choice.unverified ? engine.choice.rule.lsh : LshPlan{}, decisions.witnesses);
  verdicts.count(engine.summary);
  warn_of_just_below(decisions.stats.just_below, options, engine.summary);
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
  const StopScope scope(&job.stop);
  return Engine(options, engine_run(options, job, RunFolder::Use::kShared)).tasks();
}

std::vector<TaskState> prepare_tasks(const Options& options, const DedupRun& job) {
  const StopScope scope(&job.stop);
  return Engine(options, engine_run(options, job, alone(job))).tasks();
}

void run_task(const Options& options, const DedupRun& job, uint64_t task) {
  const StopScope scope(&job.stop);
  Engine(options, engine_run(options, job, RunFolder::Use::kShared)).run_task(task);
}

}  // namespace neardup
