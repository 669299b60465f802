#include "dedup/sketchers.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "neardup/tools/run_recipe.h"

namespace neardup {
namespace {

FittedRecipe fit(const RunContext& context, PassClock& clock, Recipe recipe, const CheckpointDirectory* directory, std::string_view name) {
  if (!recipe.needs_fitting()) return {std::move(recipe), nullptr, 0, 0};
  const std::string kept = directory != nullptr ? directory->file(name) : std::string();
  if (directory != nullptr) {
    if (auto loaded = load_fitted(recipe, kept)) {
      clock.skip_passes(1);
      return std::move(*loaded);
    }
  }
  FittedRecipe fitted;
  clock.timed("count", [&] {
    fitted = fit_recipe(std::move(recipe), context.source, context.threads, context.memory.total / 4, context.options.temp_dir,
                        context.monitor, directory != nullptr && directory->read_only() ? std::string() : kept);
    return fitted.text_bytes;
  });
  return fitted;
}

}  // namespace

RunRecipes::RunRecipes(const Options& options) : first(run_recipe(options)), second(run_also(options)) {}

uint64_t Sketchers::id() const {
  return also ? mix64(sketcher->recipe().id() ^ mix64(also->recipe().id())) : sketcher->recipe().id();
}

Sketchers fit_recipes(const RunContext& context, PassClock& clock, RunRecipes recipes, const CheckpointDirectory* directory) {
  Sketchers made;
  made.fitted = fit(context, clock, std::move(recipes.first), directory, "fitted-1.idf");
  made.sketcher = std::make_unique<const Sketcher>(made.fitted.recipe, made.fitted.table.get());
  made.min_length = context.options.min_length;
  made.blocks = !context.options.block_on.empty();
  if (!recipes.second) return made;
  made.fitted_also = fit(context, clock, std::move(*recipes.second), directory, "fitted-2.idf");
  made.also = std::make_unique<const Sketcher>(made.fitted_also.recipe, made.fitted_also.table.get());
  return made;
}

}  // namespace neardup
