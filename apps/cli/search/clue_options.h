// The options of neardup search that say what is asked, and how answers are printed.
#pragma once

#include <vector>

#include "cli/commands/command.h"
#include "neardup/clue_index.h"

namespace neardup::cli {

/// Without those for inputs and outputs.
std::vector<LocalOption> clue_options();

/// What these options say, for one question. Throws Error{kUsage} that names option, bound and value, and for options that exclude each
/// other.
ClueSearch clue_search(const Invocation& invocation);

}  // namespace neardup::cli
