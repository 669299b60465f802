// FinishedRun: a run in its checkpoint directory, for commands that look at it afterwards: its record, its options and its inputs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/commands/command.h"
#include "cli/terminal/reporter.h"
#include "neardup/io.h"
#include "neardup/source.h"
#include "neardup/tools/plan.h"
#include "neardup/tools/run_record.h"

namespace neardup::cli {

struct FinishedRun {
  std::string directory;  ///< absolute
  std::unique_ptr<const RunRecord> record;
  Invocation invocation;            ///< the command that began the run
  RunPlan plan;                     ///< of its options
  std::vector<std::string> inputs;  ///< all that it read, but for reference indexes: the corpora of --against, inputs, added inputs
  SourceOptions source;             ///< how it read them
};

/// Changes to the working directory in which the run began, where its paths start. Throws Error{kInput} when the run is missing, not
/// finished or damaged, or its working directory is gone. Warnings go to `reporter`, which outlives the result.
FinishedRun open_finished_run(const std::string& directory, Reporter& reporter);

/// The path of an output, to be opened after that change of the working directory; "-" stays.
std::string lasting_path(const std::string& path);

/// Throws Error{kInput} that names the first file of the run that is missing now, before anything opens it. `directory`: as the user named
/// it.
void require_sources(const FinishedRun& run, const std::string& directory);
/// Throws Error{kInput} that names the first source of `opened` that is not as the run read it: documents would be mistaken for others.
void require_same_sources(const FinishedRun& run, const DocumentSource& opened, const std::string& directory);

}  // namespace neardup::cli
