// The verbs of neardup index for a clue index: those of index_verbs.h for an index of fingerprints.
#pragma once

#include "cli/index/index_verbs.h"

namespace neardup::cli {

/// Each returns the exit code. Throws Error.
int build_clue_index(const IndexJob& job, Reporter& reporter);
int add_to_clue_index(const IndexJob& job, Reporter& reporter);
int delete_from_clue_index(const IndexJob& job, Reporter& reporter);
int merge_clue_index(const IndexJob& job, Reporter& reporter);
int show_clue_index(const IndexJob& job, Reporter& reporter);
int verify_clue_index(const IndexJob& job, Reporter& reporter);

}  // namespace neardup::cli
