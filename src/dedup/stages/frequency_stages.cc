#include "neardup/tools/frequency_stages.h"

#include <utility>

#include "dedup/stages/blob_format.h"
#include "dedup/stages/frequencies.h"
#include "dedup/stages/stage_counts.h"
#include "dedup/stages/stage_settings.h"
#include "dedup/stages/stage_space.h"
#include "neardup/tools/run_recipe.h"
#include "sketch/canonical_recipe.h"

namespace neardup {

struct FrequencyStages::Impl {
  explicit Impl(const Options& options) : recipe(run_recipe(options)), settings(StageSettings::to_count(options)) {}
  const Recipe recipe;
  const StageSettings settings;
};

bool FrequencyStages::needed(const Options& options) {
  return run_recipe(options).needs_fitting();
}

FrequencyStages::FrequencyStages(const Options& options) : impl_(std::make_unique<const Impl>(options)) {}
FrequencyStages::~FrequencyStages() = default;

FrequencyStages::Facts FrequencyStages::facts() const {
  return {.recipe = impl_->recipe.name, .recipe_id = impl_->recipe.id()};
}

std::unique_ptr<CountStage> FrequencyStages::count(uint32_t parts, const StageSpace& space) const {
  check_parts(parts);
  return make_count(impl_->settings, parts, checked_space(space));
}

std::unique_ptr<ReduceStage> FrequencyStages::sum(const StageSpace& space) const {
  return make_sum(impl_->settings, checked_space(space));
}

std::unique_ptr<FrequencyTableStage> FrequencyStages::table(const StageSpace& space) const {
  return make_frequency_table(impl_->settings, checked_space(space));
}

StageCounts FrequencyStages::counts(Stages::Blobs blobs) const {
  return sum_counts(impl_->settings, blobs);
}

std::string FrequencyStages::fitted_recipe(const std::string& table) const {
  Recipe recipe = impl_->recipe;
  recipe.idf = table;
  return json_with_files(recipe);
}

}  // namespace neardup
