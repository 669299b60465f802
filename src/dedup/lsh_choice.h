// choose_lsh_plan: the bands and rows of a run, out of options and recipe.
#pragma once

#include "index/lsh_plan.h"
#include "neardup/options.h"
#include "neardup/recipe.h"

namespace neardup {

/// The given bands and rows, or the planned ones; none under Search::kExact. Throws Error{kUsage} for options that contradict each
/// other or the recipe.
LshPlan choose_lsh_plan(const Options& options, const Recipe& recipe);

}  // namespace neardup
