// What the commands that read a corpus have in common: options, inputs, outputs, and the way a run ends.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "neardup/dedup.h"
#include "neardup/io.h"
#include "neardup/plan.h"
#include "neardup/result_file.h"
#include "reporter.h"

namespace neardup::cli {

/// -o and its relatives are listed by each command; these are the same for all runs.
std::vector<LocalOption> with_run_options(std::vector<LocalOption> options);

std::unique_ptr<DocumentSource> open_inputs(const std::vector<std::string>& inputs, const Options& options, const RunPlan& plan);

/// "words-5 (0123456789abcdef)"
std::string recipe_label(const Recipe& recipe);
/// "lsh, 15 bands of 8 rows (of the pairs at the threshold 0.18 % are missed)"
std::string search_label(const Options& options, const RunPlan& plan);

/// The outputs of one run that are named on the command line, checked against each other and the inputs.
class Outputs {
 public:
  /// `names` are the local options that name a file to write, in the order of the report. Under --dry-run there are none.
  Outputs(const Invocation& invocation, std::initializer_list<std::string_view> names);

  /// Throws Error{kOutput} when one is an input or another output. Then opens --summary.
  void check(const DocumentSource& source);
  /// Adds one that is no single file: --output-dir.
  void add_folder(const std::string& path) { written_.push_back(path); }
  [[nodiscard]] bool has(std::string_view name) const { return !dry_run_ && invocation_.has(name); }
  [[nodiscard]] std::string path(std::string_view name) const { return invocation_.value(name); }

  /// Writes --summary, reports, and gives the exit code.
  int finish(const Summary& summary, Reporter& reporter);

 private:
  const Invocation& invocation_;
  const bool dry_run_;
  std::vector<std::string> written_;
  std::optional<ResultFile> summary_;
};

}  // namespace neardup::cli
