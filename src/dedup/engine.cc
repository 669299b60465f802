#include "dedup/engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/limits.h"
#include "base/parallel.h"
#include "dedup/report/input_warnings.h"
#include "dedup/report/markup_warning.h"
#include "dedup/sketch_pass.h"
#include "neardup/error.h"
#include "neardup/tools/doctor.h"

namespace neardup {
namespace {

constexpr uint64_t kMiB = 1 << 20;
constexpr uint64_t kAllDecided = ~uint64_t{0};

std::optional<Recipe> load_also(const Options& options) {
  if (options.also.empty()) return std::nullopt;
  return Recipe::load(options.also);
}

}  // namespace

MemoryPlan::MemoryPlan(const Options& options)
    : total(options.memory != 0 ? options.memory : machine_memory_bytes() / 2),
      band_keys(total / 4),
      filter_rows(total / 8),
      grouping(total / 8),
      // An LSH run needs the features of its candidates only, once, and the page cache holds what is spilled: a fixed bound keeps
      // the memory per document small. The exact join goes over all features again and again.
      features(options.search == Search::kExact ? total / 2 : std::min(total / 4, 160 * kMiB)),
      sorting(std::min(total / 8, 1024 * kMiB)) {
  if (total < limits::kLeastMemory) {
    throw Error(ErrorCode::kUsage, fmt::format("memory: {} bytes is below the least of {}", total, limits::kLeastMemory));
  }
}

Engine::Engine(const Options& given, EngineRun run)
    : options(given),
      source(run.source),
      threads(resolve_threads(given.threads)),
      memory(given),
      monitor{std::move(run.monitor.progress), &known},
      rejects(run.rejects),
      table(KeepPolicy::parse(given.keep), run.reference_sources),
      features(memory.features, given.temp_dir),
      weights(memory.features, given.temp_dir),
      pass_rejects_(given.max_rejects),
      slice_documents_(run.slice_documents) {
  if (options.threshold.millionths() == 0) throw Error(ErrorCode::kUsage, "threshold: 0 is below the least of 0.000001");
  Recipe recipe = Recipe::load(given.recipe);
  std::optional<Recipe> second = load_also(given);
  choice = choose_pairs(given, recipe, second ? &*second : nullptr);
  const bool fingerprints = recipe.fingerprints() || (second && second->fingerprints());
  if (!fingerprints && given.max_distance != Options().max_distance) {
    throw Error(ErrorCode::kUsage,
                fmt::format("max_distance: {} is for fingerprints, and recipe '{}' makes none", given.max_distance, recipe.name));
  }
  indexes.open(run.reference_indexes, recipe, options, choice);
  if (!run.run_folder.empty()) open_folder(run, recipe, second);
  constexpr uint32_t kPasses = 5;  // sketch, group, features, decide or join, output
  known.pass_count = kPasses - (reads_features() ? 0 : 1) + (recipe.needs_fitting() ? 1 : 0) + (second && second->needs_fitting() ? 1 : 0);
  if (slice_documents_ != 0) known.pass_count = 0;  // how many slices there will be is not known
  fit(std::move(recipe), std::move(second));
  summary.recipe_name = sketcher->recipe().name;
  summary.recipe_id = sketcher->recipe().id();
  summary.kernels = kernels_in_use();
  summary.threads = threads;
  summary.bands = choice.rule.lsh.bands;
  summary.rows_per_band = choice.rule.lsh.rows;
  summary.predicted_miss = summary.bands == 0 ? 0 : choice.rule.lsh.miss_probability(options.threshold.value());
  summary.fingerprint_bits = choice.rule.bits;
  summary.max_distance = choice.rule.max_distance;
}

void Engine::fit(Recipe recipe, std::optional<Recipe> second) {
  const auto fit_one = [&](Recipe one, std::string_view name, std::optional<FittedRecipe>& fitted, std::optional<Sketcher>& made) {
    const std::string kept = folder_ ? folder_->file(name) : std::string();
    if (folder_ && one.needs_fitting()) fitted = load_fitted(one, kept);
    if (fitted) {
      spare_passes(1);
    } else if (one.needs_fitting()) {
      timed("count", [&] {
        fitted = fit_recipe(std::move(one), source, threads, memory.total / 4, options.temp_dir, monitor, kept);
        return fitted->text_bytes;
      });
    } else {
      fitted = FittedRecipe{std::move(one), nullptr, 0, 0};
    }
    made.emplace(fitted->recipe, fitted->table.get());
  };
  fit_one(std::move(recipe), "fitted-1.idf", fitted_, sketcher);
  if (second) fit_one(std::move(*second), "fitted-2.idf", fitted_also_, also);
  if (!folder_) return;
  uint64_t decided_batches = kAllDecided;  // a task makes what is missing, and does not judge what is there
  if (!folder_->shared()) {
    decided = Decisions::load(*folder_, sketch_id(), copy_of);
    decided_batches = decided.empty() ? 0 : decided.back().end_batch;
  }
  sketch_journal_.emplace(*folder_, "sketch", sketch_id(), decided_batches);
}

// Before any pass: what changed is said at once.
void Engine::open_folder(const EngineRun& run, const Recipe& recipe, const std::optional<Recipe>& second) {
  std::vector<const Recipe*> recipes{&recipe};
  if (second) recipes.push_back(&*second);
  for (const Recipe* each : recipes) {
    if (!run.extend_behind.empty()) require_extensible(*each, run.run_folder);
  }
  RunIdentity identity(options, recipes, run.reference_sources, source);
  for (size_t i = 0; i < indexes.states().size(); ++i) identity.sources[i].value = indexes.states()[i];
  folder_.emplace(run.run_folder, identity, run.extend_behind, run.folder_use);
}

uint64_t Engine::sketch_id() const {
  return also ? mix64(sketcher->recipe().id() ^ mix64(also->recipe().id())) : sketcher->recipe().id();
}

void Engine::make_sketches() {
  const PairRule& rule = choice.rule;
  if (rule.lsh.bands != 0) {
    sketches_.lsh.emplace(LshSketches{.keys = BandKeys(rule.lsh, memory.band_keys, options.temp_dir),
                                      .filter = rule.filter,
                                      .filter_rows = RowStore(rule.filter.row_bytes(), memory.filter_rows, options.temp_dir)});
  }
  if (rule.bits != 0) sketches_.codes.emplace(CodeSketches{.bits = rule.bits, .max_distance = rule.max_distance, .codes = {}});
}

SketchPassInputs Engine::sketch_inputs(bool only_stored) {
  return {.source = source,
          .sketcher = *sketcher,
          .also = also ? &*also : nullptr,
          .sketches = sketches_,
          .threads = threads,
          .group_memory_bytes = memory.grouping,
          .rejects = rejects,
          .monitor = monitor,
          .journal = sketch_journal_ ? &*sketch_journal_ : nullptr,
          .only_stored = only_stored,
          .slice = only_stored ? 0 : slice_documents_};
}

void Engine::read_documents(bool sketches) {
  if (sketches && summary.slices == 0) make_sketches();
  ++summary.slices;
  // The input is read once by all slices together.
  known.bytes_done = read_bytes_;
  known.documents = table.size();
  timed("sketch", [&] {
    const uint64_t before = summary.text_bytes;
    at_end_ = run_sketch_pass(sketch_inputs(!sketches), table, pass_rejects_, summary, read_bytes_);
    return summary.text_bytes - before;
  });
  known.bytes_done = known.documents = 0;
  if (at_end_) warn_of_documents();
  if (!sketches_.lsh) return;
  spilled_sketches_ = std::max(spilled_sketches_, sketches_.lsh->keys.spilled_bytes() + sketches_.lsh->filter_rows.spilled_bytes());
}

void Engine::warn_of_documents() {
  warn_of_invalid_ids(summary.invalid_ids, summary.warnings);
  warn_of_malformed_texts(summary.malformed_texts, summary.warnings);
  warn_of_rank_values(options.keep, summary.without_rank_value, summary.read - summary.rejected, summary.warnings);
  warn_of_markup(source, sketcher->recipe(), summary);
}

void Engine::add_pass(const std::string& name, double seconds, uint64_t bytes) {
  const auto found = std::ranges::find(summary.passes, name, &PassReport::name);
  if (found == summary.passes.end()) {
    summary.passes.push_back({name, seconds, bytes});
    return;
  }
  found->seconds += seconds;
  found->bytes += bytes;
}

std::vector<TaskState> Engine::tasks() {
  source.rewind();
  uint64_t batches = 0;
  while (source.next() != nullptr) ++batches;
  std::vector<TaskState> tasks;
  for (uint64_t first = 0; first < batches; first += PassJournal::kBatchesPerPart) {
    TaskState task{.first_batch = first, .batches = std::min(PassJournal::kBatchesPerPart, batches - first), .done = true};
    for (uint64_t i = 0; i < task.batches; ++i) task.done = task.done && sketch_journal_->has(first + i);
    tasks.push_back(task);
  }
  return tasks;
}

void Engine::run_task(uint64_t task) {
  std::vector<std::unique_ptr<Batch>> batches;  // of the task
  uint64_t count = 0;
  source.rewind();
  for (auto batch = source.next(); batch; batch = source.next()) {
    if (count++ / PassJournal::kBatchesPerPart == task) batches.push_back(std::move(batch));
  }
  if (batches.empty()) {
    const uint64_t tasks = (count + PassJournal::kBatchesPerPart - 1) / PassJournal::kBatchesPerPart;
    throw Error(ErrorCode::kUsage, fmt::format("task {}: the run has {}, which are numbered from 0", task, tasks));
  }
  make_sketches();
  sketch_part(sketch_inputs(false), batches, task * PassJournal::kBatchesPerPart);
}

void Engine::finish_summary() {
  summary.peak_memory_bytes = peak_memory_bytes();
  spilled_candidates_ = std::max(spilled_candidates_, spilled_for_candidates());
  summary.spilled_bytes =
      spilled_sketches_ + spilled_candidates_ + fitted_->spilled_bytes + (fitted_also_ ? fitted_also_->spilled_bytes : 0);
}

}  // namespace neardup
