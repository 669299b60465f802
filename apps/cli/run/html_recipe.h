// clean_if_html(): the automatic choice of --clean html.
#pragma once

#include <cstdint>

#include "cli/commands/command.h"
#include "neardup/source.h"
#include "neardup/tools/plan.h"

namespace neardup::cli {

/// If every source from `first` on is a page of HTML or an archive of such, and the command line names neither --recipe, --also nor
/// --clean: sets Options::clean to html, plans again, says so, and returns true. Does nothing in a build without the cleaner.
bool clean_if_html(Invocation& invocation, const DocumentSource& source, uint32_t first, RunPlan& plan, Reporter& reporter);

}  // namespace neardup::cli
