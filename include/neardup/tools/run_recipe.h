// run_recipe(): the recipe of a run: that of Options::recipe, with the cleaners that Options::clean asks for.
#pragma once

#include <optional>
#include <string_view>

#include "neardup/options.h"
#include "neardup/recipe.h"

namespace neardup {

/// Throws Error as Recipe::load() does, and kUsage if this build has no html_v1 and `options` ask for it.
Recipe run_recipe(const Options& options);
/// The same for Options::also; nothing if that is empty.
std::optional<Recipe> run_also(const Options& options);

/// The recipe with other cleaners of markup. "html", "tags": html_v1 or tags_v1 comes first, then the other cleaners of `recipe` without
/// either of these two; "none": no cleaners at all; empty: unchanged. A changed recipe has the name of the preset that it equals, if any,
/// else "NAME --clean html".
Recipe with_cleaner(Recipe recipe, std::string_view clean);

}  // namespace neardup
