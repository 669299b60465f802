#include "dedup/run_setup.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "dedup/rethreshold.h"
#include "neardup/dedup.h"
#include "neardup/error.h"
#include "neardup/tools/instruction_sets.h"
#include "neardup/tools/machine.h"

namespace neardup {
namespace {

void check_distance(const Options& options, const RunRecipes& recipes) {
  if (recipes.fingerprints() || options.max_distance == Options().max_distance) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("max_distance: {} is for fingerprints, and recipe '{}' makes none", options.max_distance, recipes.first.name));
}

// Before any pass, so that changes since the run began are reported at once.
std::unique_ptr<const CheckpointDirectory> open_checkpoint_directory(const RunContext& context, const RunRecipes& recipes,
                                                                     const PairStrategy& strategy, const ReferenceIndexes& indexes,
                                                                     const CheckpointOptions& checkpoint) {
  if (checkpoint.path.empty()) return nullptr;
  if (!checkpoint.extend_after.empty() && strategy.counts_features()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("verify weighs features by the IDF of the corpus itself: with more documents every weight is "
                            "another one, and the run in '{}' cannot be extended",
                            checkpoint.path));
  }
  std::vector<const Recipe*> all{&recipes.first};
  if (recipes.second) all.push_back(&*recipes.second);
  for (const Recipe* each : all) {
    if (!checkpoint.extend_after.empty()) require_extensible(*each, checkpoint.path);
  }
  RunIdentity identity(checkpoint.stored != nullptr ? *checkpoint.stored : context.options, all, context.reference_sources, context.source);
  for (size_t i = 0; i < indexes.states().size(); ++i) identity.sources[i].value = indexes.states()[i];
  return std::make_unique<const CheckpointDirectory>(checkpoint.path, identity, checkpoint.extend_after, checkpoint.use);
}

uint32_t expected_passes(const RunContext& context, const RunRecipes& recipes, const PairStrategy& strategy, bool writes) {
  if (context.slice_documents != 0) return 0;  // the number of slices is unknown
  constexpr uint32_t kAlways = 3;              // sketch, group, decide or join
  return kAlways + static_cast<uint32_t>(strategy.reads_features()) + static_cast<uint32_t>(writes) + recipes.fitting_passes() +
         static_cast<uint32_t>(strategy.counts_features());
}

}  // namespace

RunSetup set_up_run(const RunContext& context, PassClock& clock, const std::vector<std::string>& reference_indexes,
                    const CheckpointOptions& checkpoint, bool writes) {
  const Options& options = context.options;
  RunRecipes recipes(options);
  PairStrategy strategy = choose_pair_strategy(options, recipes.first, recipes.also());
  check_distance(options, recipes);
  ReferenceIndexes indexes;
  indexes.open(reference_indexes, recipes.first, options, strategy);
  std::unique_ptr<const CheckpointDirectory> directory = open_checkpoint_directory(context, recipes, strategy, indexes, checkpoint);
  clock.expect_passes(expected_passes(context, recipes, strategy, writes));
  Sketchers sketchers = fit_recipes(context, clock, std::move(recipes), strategy.counts_features(), directory.get());
  const uint64_t recipe_id = sketchers.id();
  DecidedSlices decided = load_decided(directory.get(), recipe_id);
  if (checkpoint.stored != nullptr && !has_same_sketches(*checkpoint.stored, options)) directory = nullptr;
  Journals journals(std::move(directory), recipe_id, decided);
  return {std::move(strategy), std::move(indexes), std::move(sketchers), std::move(decided), std::move(journals)};
}

Summary begin_summary(const RunContext& context, const RunSetup& setup) {
  const PairRule& rule = setup.strategy.rule;
  Summary summary;
  summary.recipe_name = setup.sketchers.recipe().name;
  summary.recipe_id = setup.sketchers.recipe().id();
  summary.kernels = kernels_in_use();
  summary.threads = context.threads;
  summary.measure = measure_name(setup.strategy);
  summary.bands = rule.lsh.bands;
  summary.rows_per_band = rule.lsh.rows;
  summary.predicted_miss = rule.lsh.bands == 0 ? 0 : rule.lsh.miss_probability(context.options.threshold.value());
  if (const ContainmentSample& sample = setup.strategy.containment_sample; !sample.all()) {
    summary.sample_features = sample.features;
    summary.sample_certain = sample.certain_up_to(context.options.threshold);
    summary.predicted_miss = sample.miss_probability(context.options.threshold);
  }
  summary.fingerprint_bits = rule.bits;
  summary.max_distance = rule.max_distance;
  return summary;
}

void finish_summary(const PassClock& clock, const RunSetup& setup, const CorpusState& corpus, uint64_t spilled_by_candidates,
                    Summary& summary) {
  summary.passes = clock.reports();
  summary.peak_memory_bytes = peak_memory_bytes();
  summary.spilled_bytes = corpus.spilled_bytes + spilled_by_candidates + setup.sketchers.spilled_bytes();
}

}  // namespace neardup
