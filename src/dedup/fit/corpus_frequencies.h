// fit_recipe: a recipe that weighs by the IDF of the very corpus gets its table by a pass over it; others are as they are.
//
// The table is a file that checks itself (document_frequency.h). One that is kept can be loaded by a later process, which needs no pass
// then.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "dedup/pass/ordered_pipeline.h"
#include "features/document_frequency.h"
#include "neardup/recipe.h"
#include "neardup/source.h"

namespace neardup {

struct FittedRecipe {
  Recipe recipe;                                        ///< with the id of the table
  std::unique_ptr<const DocumentFrequencyTable> table;  ///< null: none was needed
  uint64_t text_bytes = 0;                              ///< that the pass went through
  uint64_t spilled_bytes = 0;
};

/// The recipe whose tokens a table is fitted on: the same tokens, no weights, no sketch that needs them.
Recipe tokens_only(const Recipe& recipe);

/// Throws Error: the pass reads the whole source. Rejected records are left out, as they are later. `keep_as`: the table appears under this
/// path when it is complete, in place of what is there; empty: it vanishes with the result.
FittedRecipe fit_recipe(Recipe recipe, DocumentSource& source, uint32_t threads, uint64_t memory_bytes, const std::string& temp_dir,
                        const PassMonitor& monitor, const std::string& keep_as = {});

/// With a table that was kept. Nothing when there is none, it is damaged, or its tokens were made in another way: then it has to be fitted.
/// That it is of the same documents is for the caller to know. Requires a recipe that needs fitting.
std::optional<FittedRecipe> load_fitted(const Recipe& recipe, const std::string& path);

}  // namespace neardup
