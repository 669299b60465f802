// next_steps: what to do after a run of dedup, by what it found and what it was not asked for.
#pragma once

#include <string>

#include "cli/commands/command.h"
#include "neardup/recipe.h"
#include "neardup/tools/summary.h"

namespace neardup::cli {

/// A line for each step; empty: none. `recipe`: that of the run.
std::string next_steps(const Invocation& invocation, const Recipe& recipe, const Summary& summary);

}  // namespace neardup::cli
