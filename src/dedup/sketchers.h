// Sketchers: the recipes of a run, ready to sketch with: loaded, and fitted to the corpus if they ask for it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "dedup/checkpoint/checkpoint_directory.h"
#include "dedup/fit/corpus_frequencies.h"
#include "dedup/pass/pass_clock.h"
#include "dedup/run_context.h"
#include "features/feature_weigher.h"
#include "neardup/recipe.h"
#include "neardup/sketcher.h"

namespace neardup {

/// Options::recipe and Options::also, as loaded.
struct RunRecipes {
  /// Throws Error.
  explicit RunRecipes(const Options& options);

  Recipe first;
  std::optional<Recipe> second;

  [[nodiscard]] const Recipe* also() const noexcept { return second ? &*second : nullptr; }
  [[nodiscard]] bool fingerprints() const noexcept { return first.fingerprints() || (second && second->fingerprints()); }
  /// How many passes fit_recipes() takes, unless tables are loaded.
  [[nodiscard]] uint32_t fitting_passes() const noexcept {
    return static_cast<uint32_t>(first.needs_fitting()) + static_cast<uint32_t>(second && second->needs_fitting());
  }
};

struct Sketchers {
  FittedRecipe fitted;  // own the tables of the sketchers
  FittedRecipe fitted_also;
  std::unique_ptr<const Sketcher> sketcher;
  FittedFeatures fitted_features;
  std::unique_ptr<const FeatureWeigher> weigher;  ///< of the features of a MinHash; null: not weighed, or with weights of the recipe
  std::unique_ptr<const Sketcher> also;           ///< of the second recipe; null: none
  uint64_t min_length = 0;                        ///< Options::min_length
  bool blocks = false;                            ///< Options::block_on: texts are sketched in the block of their record

  [[nodiscard]] const Recipe& recipe() const noexcept { return sketcher->recipe(); }
  /// The id of the fitted recipes together, which marks the files of a checkpoint directory.
  [[nodiscard]] uint64_t id() const;
  /// Bytes spilled by the passes of fit_recipes().
  [[nodiscard]] uint64_t spilled_bytes() const noexcept {
    return fitted.spilled_bytes + fitted_also.spilled_bytes + fitted_features.spilled_bytes;
  }
};

/// The pass "count" for each recipe that needs fitting, and for the features if `weigh`, unless `directory` has the table. `directory` may
/// be null.
Sketchers fit_recipes(const RunContext& context, PassClock& clock, RunRecipes recipes, bool weigh, const CheckpointDirectory* directory);

}  // namespace neardup
