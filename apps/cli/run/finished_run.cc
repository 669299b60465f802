#include "cli/run/finished_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/index/index_store.h"
#include "cli/options/parse.h"
#include "cli/run/inputs.h"
#include "cli/run/stored_run.h"
#include "neardup/error.h"

namespace neardup::cli {

FinishedRun open_finished_run(const std::string& directory, Reporter& reporter) {
  FinishedRun run;
  run.record = RunRecord::open(directory);
  const StoredCommand stored = look_up_command(directory);
  std::error_code error;
  run.directory = std::filesystem::absolute(directory, error).native();
  if (!error) std::filesystem::current_path(stored.current_folder, error);
  if (error) {
    throw Error(ErrorCode::kInput, fmt::format("the run in '{}' began in the folder '{}', where its paths start: {}", directory,
                                               stored.current_folder, error.message()));
  }
  reporter.hide_secrets_of(stored.words);
  run.invocation = parse_command(dedup_command(), stored.words);
  run.plan = plan_run(run.invocation.options);
  for (const std::string& against : run.invocation.values("against")) {
    if (!is_index(against)) run.inputs.push_back(against);
  }
  run.inputs.insert(run.inputs.end(), run.invocation.arguments.begin(), run.invocation.arguments.end());
  for (const auto& added : stored.added) {
    reporter.hide_secrets_of(added);
    run.inputs.insert(run.inputs.end(), added.begin(), added.end());
  }
  run.source = source_options(run.invocation.options, run.plan, reporter);
  return run;
}

}  // namespace neardup::cli
