// `neardup plan --documents N`: the Hamming index for N fingerprints: its tables and its cost. Refuses a plan that costs too much, and
// names cheaper ones.
#pragma once

#include <vector>

#include "cli/commands/command.h"

namespace neardup::cli {

std::vector<LocalOption> plan_index_options();

/// True when an option of plan_index_options() other than --json is given; --documents does not count if it asks for a corpus.
bool asks_for_index(const Invocation& invocation, bool asks_for_corpus);

/// Throws Error{kUsage} when a value is out of bounds, or the predicted work exceeds the budget.
int plan_index(const Invocation& invocation);

}  // namespace neardup::cli
