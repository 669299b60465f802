// neardup query --from-rows: which of the rows that came back from a database are neighbours.
#pragma once

#include "cli/commands/command.h"

namespace neardup::cli {

/// What it needs besides the options of the table. `options` gets them.
void add_row_options(std::vector<LocalOption>& options);
/// Returns the exit code. Throws Error.
int query_rows(const Invocation& invocation, Reporter& reporter);

}  // namespace neardup::cli
