// RunOutputs: the outputs of a run that are named on the command line, and its end: summary, report, exit code.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/command.h"
#include "cli/terminal/reporter.h"
#include "neardup/source.h"
#include "neardup/tools/result_file.h"
#include "neardup/tools/summary.h"

namespace neardup::cli {

/// The outputs of one run, checked against each other and the inputs.
class RunOutputs {
 public:
  /// `names` are the local options that name a file to write, in the order of the report. Under --dry-run there are none.
  RunOutputs(const Invocation& invocation, std::initializer_list<std::string_view> names);

  /// Throws Error{kUsage} when one is an input or another output. Then opens --summary.
  void check(const DocumentSource& source);
  void check(const std::vector<std::string>& inputs);
  /// Adds one that is not a single file: --output-dir.
  void add_folder(const std::string& path) { written_.push_back(path); }
  /// Removes hidden files that a killed run left next to the outputs.
  void remove_leftovers() const;
  [[nodiscard]] bool has(std::string_view name) const { return !dry_run_ && invocation_.has(name); }
  [[nodiscard]] std::string path(std::string_view name) const { return invocation_.value(name); }
  /// True if one of them is standard output, and that a terminal.
  [[nodiscard]] bool to_terminal() const;
  [[nodiscard]] bool verbose() const { return invocation_.has("verbose"); }

  /// Writes --summary, reports, and returns the exit code. `next`: RunReport::next.
  int finish(const Summary& summary, Reporter& reporter, std::string next = {});
  int finish(const RunReport& report, uint64_t rejected, Reporter& reporter);

 private:
  /// The outputs, and the file of the metrics.
  [[nodiscard]] std::vector<std::string> named() const;

  const Invocation& invocation_;
  const bool dry_run_;
  std::vector<std::string> written_;
  std::optional<ResultFile> summary_;
};

}  // namespace neardup::cli
