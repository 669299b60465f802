// fit_recipe: a recipe that weighs by the IDF of the very corpus gets its table by a pass over it; others are as they are.
#pragma once

#include <memory>
#include <string>

#include "dedup/batch_line.h"
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

/// Throws Error: the pass reads the whole source. Rejected records are left out, as they are later.
FittedRecipe fit_recipe(Recipe recipe, DocumentSource& source, uint32_t threads, uint64_t memory_bytes, const std::string& temp_dir,
                        const PassMonitor& monitor);

}  // namespace neardup
