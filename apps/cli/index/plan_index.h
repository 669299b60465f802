// `neardup plan --documents N`: the Hamming index for N fingerprints: its tables, and what it will cost. Refuses what would cost too
// much, and says what would not.
#pragma once

#include <vector>

#include "cli/commands/command.h"

namespace neardup::cli {

std::vector<LocalOption> plan_index_options();

/// True when an option of plan_index_options() is given that is not --json.
bool asks_for_index(const Invocation& invocation);

/// Throws Error{kUsage} when a value is out of bounds, or the predicted work exceeds the budget.
int plan_index(const Invocation& invocation);

}  // namespace neardup::cli
