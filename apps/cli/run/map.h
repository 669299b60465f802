// run_map(): a run that gives one line for each document.
#pragma once

#include <functional>
#include <string>

#include "cli/commands/command.h"
#include "cli/terminal/reporter.h"
#include "neardup/tools/map_documents.h"

namespace neardup::cli {

/// A run that writes one line of JSON a document to -o, or to standard output: opens everything, announces `what` (asked for with the
/// options of the run), runs `job`, reports. For a single document on standard output, prints only warnings. `by_recipe`: pages are cleaned
/// unless the user named a recipe.
int run_map(const Invocation& invocation, Reporter& reporter, const std::function<std::string(const Options&)>& what,
            const std::function<Summary(const Options&, const MapRun&)>& job, bool by_recipe = false);

}  // namespace neardup::cli
