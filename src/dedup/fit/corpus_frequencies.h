// fit_recipe: a recipe that weighs by the IDF of the corpus itself gets its table from a pass over it; other recipes are unchanged.
//
// fit_features: the table by which the features of a MinHash recipe are weighed (FeatureWeigher), from such a pass.
//
// The table is a file with a checksum (document_frequency.h). A later process can load a stored table instead of the pass.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dedup/pass/ordered_pipeline.h"
#include "features/document_frequency.h"
#include "neardup/recipe.h"
#include "neardup/sketcher.h"
#include "neardup/source.h"

namespace neardup {

struct FittedRecipe {
  Recipe recipe;                                        ///< with the id of the table
  std::unique_ptr<const DocumentFrequencyTable> table;  ///< null: none was needed
  uint64_t text_bytes = 0;                              ///< read by the pass
  uint64_t spilled_bytes = 0;
};

/// The recipe whose tokens a table is fitted on: the same tokens, no weights, no sketch that needs them.
Recipe tokens_only(const Recipe& recipe);

/// Throws Error: the pass reads the whole source. Rejected records are left out, as in later passes. `keep_as`: the path of the complete
/// table, which replaces an existing file; empty: the table is deleted with the result.
FittedRecipe fit_recipe(Recipe recipe, DocumentSource& source, uint32_t threads, uint64_t memory_bytes, const std::string& temp_dir,
                        const PassMonitor& monitor, const std::string& keep_as = {});

/// Documents that have each feature, keyed by block and numbers as the sketcher makes it, except for features of a single document.
struct FittedFeatures {
  std::unique_ptr<const DocumentFrequencyTable> table;
  uint64_t text_bytes = 0;
  uint64_t spilled_bytes = 0;
};

/// As fit_recipe(). `blocks`: texts are in the block of their record. Requires a MinHash recipe.
FittedFeatures fit_features(const Sketcher& sketcher, bool blocks, DocumentSource& source, uint32_t threads, uint64_t memory_bytes,
                            const std::string& temp_dir, const PassMonitor& monitor, const std::string& keep_as = {});
/// The name of this table in a checkpoint directory.
inline constexpr std::string_view kFeatureTable = "fitted-features.idf";
/// As load_fitted(); null: nothing.
std::unique_ptr<const DocumentFrequencyTable> load_features(const Recipe& recipe, const std::string& path);

/// Loads a stored table. Returns nothing when it is missing, damaged, or of other tokens: then the recipe must be fitted. The caller must
/// know that it is of the same documents. Requires a recipe that needs fitting.
std::optional<FittedRecipe> load_fitted(const Recipe& recipe, const std::string& path);

}  // namespace neardup
