// The recipe of an index folder, for queries and for a new index.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/hamming_store.h"
#include "neardup/options.h"
#include "neardup/recipe.h"

namespace neardup {

/// The recipe for queries and additions, as Options::recipe takes it: `given`, if it is that of the index; if it is empty, a preset or the
/// JSON stored in the index. Throws Error{kUsage}, naming both, for another recipe, one that makes no fingerprints of that width or fits
/// its IDF to each corpus, and when the recipe needs files and is not given.
std::string index_recipe(const std::string& folder, const HammingStoreSpec& spec, const std::string& given);
/// The name of the preset with this id, or empty. Ignores presets whose files are not installed.
std::string preset_with_id(uint64_t recipe_id);
/// Throws Error{kUsage}, as index_recipe(), unless the fingerprints of the index are of this recipe; if theirs is unknown, they must have
/// the same number of bits.
void check_index_recipe(const std::string& folder, const HammingStoreSpec& spec, const Recipe& recipe);
/// The options of queries and additions: `options` with the recipe of the index, unless --recipe is `recipe_given`. Throws as
/// index_recipe(), also for Options::clean that makes another recipe of it.
Options with_index_recipe(const std::string& folder, const HammingStoreSpec& spec, Options options, bool recipe_given);
/// The spec of a new index of this recipe. Throws Error{kUsage} as index_recipe().
HammingStoreSpec index_spec(const Options& options);

}  // namespace neardup
