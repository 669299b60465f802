// neardup query INDEX: the neighbours of texts, fingerprints or whole streams of them, in an index folder.
#pragma once

#include <vector>

#include "cli/commands/command.h"

namespace neardup::cli {

/// Adds the options that only a query of an index takes.
void add_index_options(std::vector<LocalOption>& options);
/// Returns the exit code. Throws Error.
int query_index(const Invocation& invocation, Reporter& reporter);

}  // namespace neardup::cli
