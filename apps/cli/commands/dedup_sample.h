// neardup dedup --dry-run --sample: the removals that a run would make, from a sample of its inputs.
#pragma once

#include "cli/commands/command.h"
#include "cli/commands/dedup_work.h"

namespace neardup::cli {

/// Throws Error{kUsage} for options that cannot be combined with --sample; before any input is opened.
void check_sample_options(const Invocation& invocation);

/// Predicts, reports, and returns the exit code. `work`: the sources and the plan of the run.
int predict_removals(const Invocation& invocation, DedupWork& work, Reporter& reporter);

}  // namespace neardup::cli
