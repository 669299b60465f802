// warn_of_markup(): pages of HTML and a recipe that takes their tags for text do not go together well.
#pragma once

#include "neardup/dedup.h"
#include "neardup/recipe.h"
#include "neardup/source.h"

namespace neardup {

/// Adds one warning to the summary, for the first source of pages, unless the recipe has a cleaner of HTML.
void warn_of_markup(const DocumentSource& source, const Recipe& recipe, Summary& summary);

}  // namespace neardup
