// neardup query INDEX: the neighbours of texts, fingerprints or whole streams of them, in an index folder.
#pragma once

#include "cli/commands/command.h"

namespace neardup::cli {

/// What it needs besides the options of the table and --fingerprint, --text and --file. `options` gets them.
void add_index_options(std::vector<LocalOption>& options);
/// Returns the exit code. Throws Error.
int query_index(const Invocation& invocation, Reporter& reporter);

}  // namespace neardup::cli
