// run_map(): a run that gives one line for each document.
#pragma once

#include <functional>
#include <string>

#include "cli/commands/command.h"
#include "cli/reporter.h"
#include "neardup/tools/map_documents.h"

namespace neardup::cli {

/// A run that writes one line of JSON a document to -o, or to standard output: opens everything, announces `what`, runs `job`, reports. For
/// a single document on standard output, prints only warnings.
int run_map(const Invocation& invocation, Reporter& reporter, const std::string& what,
            const std::function<Summary(const Options&, const MapRun&)>& job);

}  // namespace neardup::cli
