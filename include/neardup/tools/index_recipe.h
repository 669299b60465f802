// The recipe of an index folder: what it is asked with, and what a new one is of.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/hamming_store.h"
#include "neardup/options.h"
#include "neardup/recipe.h"

namespace neardup {

/// The recipe by which an index is asked and added to, as Options::recipe takes it: `given`, if it is the one that the index is of; if it
/// is empty, a preset or the JSON that the index holds. Throws Error{kUsage}, naming both, for another recipe, one that makes no
/// fingerprints of that width or fits its IDF to each corpus, and when the recipe needs files: then it must be given.
std::string index_recipe(const std::string& folder, const HammingStoreSpec& spec, const std::string& given);
/// The name of the preset with this id, or empty. Presets whose files are not installed are not looked at.
std::string preset_with_id(uint64_t recipe_id);
/// Throws Error{kUsage} unless the fingerprints of the index are made by this recipe, as index_recipe(); when it is not known by which,
/// they must have as many bits.
void check_index_recipe(const std::string& folder, const HammingStoreSpec& spec, const Recipe& recipe);
/// The spec of a new index of this recipe. Throws Error{kUsage} as index_recipe().
HammingStoreSpec index_spec(const Options& options);

}  // namespace neardup
