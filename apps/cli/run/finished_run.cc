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
  const StoredCommand stored = stored_command(directory);
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

std::string lasting_path(const std::string& path) {
  return path == "-" ? path : std::filesystem::absolute(path).native();
}

void require_sources(const FinishedRun& run, const std::string& directory) {
  for (uint32_t i = 0; i < run.record->source_count(); ++i) {
    const std::string name(run.record->source_name(i));
    std::error_code error;
    if (is_uri(name) || std::filesystem::exists(name, error)) continue;
    throw Error(ErrorCode::kInput,
                fmt::format("the run in '{}' read '{}', which is missing now{}", directory, name,
                            name.starts_with('/') ? "" : fmt::format(" (in '{}')", std::filesystem::current_path().native())));
  }
}

void require_same_sources(const FinishedRun& run, const DocumentSource& opened, const std::string& directory) {
  const RunRecord& record = *run.record;
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorCode::kInput, fmt::format("{}; run dedup again, so that the run in '{}' and its inputs agree", what, directory));
  };
  for (uint32_t i = 0; i < opened.source_count(); ++i) {
    const std::string_view name = opened.source_name(i);
    if (i >= record.source_count() || record.source_name(i) != name) {
      refuse(fmt::format("the run in '{}' did not read '{}', which is among its inputs now", directory, name));
    }
    if (record.source_kind(i) == RunRecord::SourceKind::kIndex) continue;
    const std::string_view before = record.source_state(i);
    const std::string now = opened.state_of(i);
    if (!before.empty() && before != now) {
      refuse(fmt::format("'{}' changed since the run: it had {} and now has {}", name, before, now.empty() ? "nothing" : now));
    }
  }
  if (opened.source_count() < record.source_count()) {
    refuse(fmt::format("the run in '{}' read '{}', which is not among its inputs any more", directory,
                       record.source_name(opened.source_count())));
  }
}

}  // namespace neardup::cli
