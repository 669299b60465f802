#include "cli/run/outputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "cli/terminal/text_format.h"
#include "neardup/io.h"

namespace neardup::cli {

RunOutputs::RunOutputs(const Invocation& invocation, std::initializer_list<std::string_view> names)
    : invocation_(invocation), dry_run_(invocation.has("dry-run")) {
  for (const std::string_view name : names) {
    if (has(name)) written_.push_back(path(name));
  }
  for (const std::string_view name : {"rejects", "summary"}) {
    if (has(name)) written_.push_back(path(name));
  }
}

std::vector<std::string> RunOutputs::named() const {
  std::vector<std::string> all = written_;
  if (invocation_.has("metrics")) all.push_back(invocation_.value("metrics"));
  return all;
}

void RunOutputs::check(const DocumentSource& source) {
  check_outputs(named(), source);
  if (has("summary")) summary_.emplace(path("summary"));
}

void RunOutputs::check(const std::vector<std::string>& inputs) {
  check_outputs(named(), inputs);
  if (has("summary")) summary_.emplace(path("summary"));
}

bool RunOutputs::to_terminal() const {
  return std::ranges::find(written_, "-") != written_.end() && isatty(STDOUT_FILENO) == 1;
}

void RunOutputs::remove_leftovers() const {
  for (const std::string& path : written_) remove_partial_outputs(path);
}

int RunOutputs::finish(const Summary& summary, Reporter& reporter, std::string next) {
  if (summary.read == 0) reporter.warning("the input has no documents");
  reporter.count(summary);
  return finish({.text = summary.to_text(verbose()), .json = summary.to_json(), .warnings = summary.warnings, .next = std::move(next)},
                summary.rejected + summary.reference_rejected, reporter);
}

int RunOutputs::finish(const RunReport& report, uint64_t rejected, Reporter& reporter) {
  if (summary_) summary_->write(report.json + "\n");
  std::vector<std::string> shown;
  shown.reserve(written_.size());
  for (const std::string& output : written_) shown.push_back(shown_output(output));
  reporter.finish(report, shown, dry_run_);
  if (!invocation_.options.strict || rejected == 0) return kExitOk;
  reporter.error(fmt::format("{} rejected (--strict); the outputs were written without {}",
                             counted(rejected, "record") + (rejected == 1 ? " was" : " were"), rejected == 1 ? "it" : "them"));
  return kExitRejects;
}

}  // namespace neardup::cli
