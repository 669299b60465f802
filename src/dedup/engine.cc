#include "dedup/engine.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>

#include "base/limits.h"
#include "base/parallel.h"
#include "dedup/feature_pass.h"
#include "dedup/groups.h"
#include "dedup/markup_warning.h"
#include "dedup/sketch_pass.h"
#include "neardup/doctor.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr uint64_t kMiB = 1 << 20;

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

namespace {

uint64_t count_copies(const DocumentTable& table, const std::vector<uint32_t>& copy_of) {
  uint64_t copies = 0;
  for (uint32_t d = 0; d < table.size(); ++d) copies += static_cast<uint64_t>(copy_of[d] != d && !table.rejected(d) && !table.reference(d));
  return copies;
}

std::optional<Recipe> load_also(const Options& options) {
  if (options.also.empty()) return std::nullopt;
  return Recipe::load(options.also);
}

}  // namespace

Engine::Engine(const Options& given, DocumentSource& documents, uint32_t reference_sources, RejectSink* reject_sink,
               PassMonitor pass_monitor, const std::vector<std::string>& reference_indexes)
    : options(given),
      source(documents),
      threads(resolve_threads(given.threads)),
      memory(given),
      monitor{std::move(pass_monitor.progress), std::move(pass_monitor.stop), &known},
      rejects(reject_sink),
      table(KeepPolicy::parse(given.keep), reference_sources),
      features(memory.features, given.temp_dir),
      weights(memory.features, given.temp_dir) {
  if (options.threshold.millionths() == 0) throw Error(ErrorCode::kUsage, "threshold: 0 is below the least of 0.000001");
  Recipe recipe = Recipe::load(given.recipe);
  std::optional<Recipe> second = load_also(given);
  choice = choose_pairs(given, recipe, second ? &*second : nullptr);
  const bool fingerprints = recipe.fingerprints() || (second && second->fingerprints());
  if (!fingerprints && given.max_distance != Options().max_distance) {
    throw Error(ErrorCode::kUsage,
                fmt::format("max_distance: {} is for fingerprints, and recipe '{}' makes none", given.max_distance, recipe.name));
  }
  indexes.open(reference_indexes, recipe, options, choice);
  constexpr uint32_t kPasses = 5;  // sketch, group, features, decide or join, output
  const bool features_read = !choice.unverified && choice.judge != Judge::kHamming;
  known.pass_count = kPasses - (features_read ? 0 : 1) + (recipe.needs_fitting() ? 1 : 0) + (second && second->needs_fitting() ? 1 : 0);
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
  const auto fit_one = [&](Recipe one, std::optional<FittedRecipe>& fitted, std::optional<Sketcher>& made) {
    if (one.needs_fitting()) {
      timed("count", 0, [&] { fitted = fit_recipe(std::move(one), source, threads, memory.total / 4, options.temp_dir, monitor); });
      summary.passes.back().bytes = fitted->text_bytes;
    } else {
      fitted = FittedRecipe{std::move(one), nullptr, 0, 0};
    }
    made.emplace(fitted->recipe, fitted->table.get());
  };
  fit_one(std::move(recipe), fitted_, sketcher);
  if (second) fit_one(std::move(*second), fitted_also_, also);
}

void Engine::find_candidates() {
  Sketches sketches;
  const PairRule& rule = choice.rule;
  if (rule.lsh.bands != 0) {
    sketches.lsh.emplace(LshSketches{.keys = BandKeys(rule.lsh, memory.band_keys, options.temp_dir),
                                     .filter = rule.filter,
                                     .filter_rows = RowStore(rule.filter.row_bytes(), memory.filter_rows, options.temp_dir)});
  }
  if (rule.bits != 0) sketches.codes.emplace(CodeSketches{.bits = rule.bits, .max_distance = rule.max_distance, .codes = {}});
  timed("sketch", 0, [&] {
    const SketchPassInputs inputs{.source = source,
                                  .sketcher = *sketcher,
                                  .also = also ? &*also : nullptr,
                                  .sketches = sketches,
                                  .threads = threads,
                                  .group_memory_bytes = memory.grouping,
                                  .rejects = rejects,
                                  .monitor = monitor};
    run_sketch_pass(inputs, table, summary);
  });
  summary.passes.back().bytes = summary.text_bytes;
  warn_of_markup(source, sketcher->recipe(), summary);
  if (sketches.lsh) spilled_sketches_ = sketches.lsh->keys.spilled_bytes() + sketches.lsh->filter_rows.spilled_bytes();

  timed("group", 0, [&] {
    copy_of = find_exact_copies(table, threads, memory.grouping);
    known.duplicates = count_copies(table, copy_of);
    PassSteps steps(monitor, "group", rule.lsh.bands);
    table.forget_exact_hashes();
    if (!indexes.empty()) find_witnesses(sketches);
    candidates = rule.all_pairs()
                     ? all_candidates(table, copy_of)
                     : find_sketch_candidates(table, copy_of, sketches, {threads, memory.grouping, options.temp_dir, &steps}, kSmallGroup);
  });
  summary.passes.back().bytes = table.size() * (BandKeys::row_bytes(rule.lsh) + rule.bits / 8);
  summary.candidate_documents = candidates.documents.size();
  for (size_t g = 0; g < candidates.group_count(); ++g)
    summary.largest_group = std::max<uint64_t>(summary.largest_group, candidates.group(g).size());

  if (choice.unverified || choice.judge == Judge::kHamming) return;
  if (candidates.documents.empty()) {
    --known.pass_count;
    return;
  }
  FeatureStore* const weight_store = choice.judge == Judge::kCosine ? &weights : nullptr;
  timed("features", 0, [&] { run_feature_pass(source, *sketcher, table, candidates, threads, monitor, features, weight_store); });
  summary.passes.back().bytes = features.total_features() * sizeof(uint64_t);
  if (rule.all_pairs()) check_exact_search_memory();
}

// What an entry of an index removes takes no part in what follows: it keeps nobody.
void Engine::find_witnesses(Sketches& sketches) {
  witnesses = indexes.find(table, copy_of, sketches.codes->codes, choice.rule.max_distance, threads);
  sketches.lacks.resize(table.size());
  for (const Witness& witness : witnesses) sketches.lacks[witness.document] |= Candidates::kCode;
  summary.reference_entries = indexes.entries();
}

// The prefix index lives in memory; half of the budget is for it.
void Engine::check_exact_search_memory() const {
  constexpr uint64_t kPostingBytes = 80;       // of a posting and its slot, with the room to grow
  constexpr uint64_t kFixedBytes = 64 * kMiB;  // frequencies
  const uint64_t prefix_features =
      features.total_features() * (Threshold::kOne - options.threshold.millionths()) / Threshold::kOne + features.count();
  const uint64_t needed = prefix_features * kPostingBytes + uint64_t{features.count()} * threads * sizeof(uint64_t) + kFixedBytes;
  if (needed > std::max(memory.total / 2, 2 * kFixedBytes)) {
    throw Error(ErrorCode::kResource,
                fmt::format("search 'exact' would need about {} MiB for its index, half of the memory budget is {} MiB; "
                            "raise --memory, or use --search lsh",
                            needed / kMiB, memory.total / 2 / kMiB));
  }
}

PassSteps Engine::group_steps(std::string name) const {
  return {monitor, std::move(name), candidates.members.size()};
}

Matcher Engine::matcher(PassSteps* steps) const {
  // A distance is known without a verification: nothing to cap. The exact search is exact.
  const bool uncapped = options.search == Search::kExact || choice.judge == Judge::kHamming;
  return Matcher({.table = table,
                  .candidates = candidates,
                  .features = features,
                  .weights = weights,
                  .rule = choice.rule,
                  .judge = choice.judge,
                  .threshold = options.threshold,
                  .max_candidates = uncapped ? 0 : options.max_candidates,
                  .steps = steps});
}

void Engine::finish_summary() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  summary.peak_memory_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  summary.spilled_bytes = spilled_sketches_ + features.spilled_bytes() + weights.spilled_bytes() + fitted_->spilled_bytes +
                          (fitted_also_ ? fitted_also_->spilled_bytes : 0);
}

}  // namespace neardup
