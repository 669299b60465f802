#include "dedup/sketchers.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "neardup/tools/run_recipe.h"

namespace neardup {
namespace {

// The path under which a fitted table stays; empty: nowhere.
std::string path_to_keep(const CheckpointDirectory* directory, std::string_view name) {
  return directory == nullptr || directory->read_only() ? std::string() : directory->file(name);
}

FittedRecipe fit(const RunContext& context, PassClock& clock, Recipe recipe, const CheckpointDirectory* directory, std::string_view name) {
  if (!recipe.needs_fitting()) return {std::move(recipe), nullptr, 0, 0};
  if (directory != nullptr) {
    if (auto loaded = load_fitted(recipe, directory->file(name))) {
      clock.skip_passes(1);
      return std::move(*loaded);
    }
  }
  FittedRecipe fitted;
  clock.timed("count", [&] {
    fitted = fit_recipe(std::move(recipe), context.source, context.threads, context.memory.total / 4, context.options.temp_dir,
                        context.monitor, path_to_keep(directory, name));
    return fitted.text_bytes;
  });
  return fitted;
}

FittedFeatures fit_weights(const RunContext& context, PassClock& clock, const Sketchers& made, const CheckpointDirectory* directory) {
  if (directory != nullptr) {
    if (auto loaded = load_features(made.recipe(), directory->file(kFeatureTable))) {
      clock.skip_passes(1);
      return {std::move(loaded), 0, 0};
    }
  }
  FittedFeatures fitted;
  clock.timed("count", [&] {
    fitted = fit_features(*made.sketcher, made.blocks, context.source, context.threads, context.memory.total / 4, context.options.temp_dir,
                          context.monitor, path_to_keep(directory, kFeatureTable));
    return fitted.text_bytes;
  });
  return fitted;
}

}  // namespace

RunRecipes::RunRecipes(const Options& options) : first(run_recipe(options)), second(run_also(options)) {}

uint64_t Sketchers::id() const {
  const uint64_t first = sketcher->recipe().id();
  if (weigher) return mix64(first ^ mix64(fitted_features.table->id()));
  return also ? mix64(first ^ mix64(also->recipe().id())) : first;
}

Sketchers fit_recipes(const RunContext& context, PassClock& clock, RunRecipes recipes, bool weigh, const CheckpointDirectory* directory) {
  Sketchers made;
  made.fitted = fit(context, clock, std::move(recipes.first), directory, "fitted-1.idf");
  made.sketcher = std::make_unique<const Sketcher>(made.fitted.recipe, made.fitted.table.get());
  made.min_length = context.options.min_length;
  made.blocks = !context.options.block_on.empty();
  if (weigh) {
    made.fitted_features = fit_weights(context, clock, made, directory);
    made.weigher = std::make_unique<const FeatureWeigher>(*made.fitted_features.table);
  }
  if (!recipes.second) return made;
  made.fitted_also = fit(context, clock, std::move(*recipes.second), directory, "fitted-2.idf");
  made.also = std::make_unique<const Sketcher>(made.fitted_also.recipe, made.fitted_also.table.get());
  return made;
}

}  // namespace neardup
