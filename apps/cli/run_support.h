// What the commands that read a corpus share: options, inputs, outputs, and the end of a run.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/command.h"
#include "cli/reporter.h"
#include "neardup/io.h"
#include "neardup/tools/map_documents.h"
#include "neardup/tools/plan.h"
#include "neardup/tools/result_file.h"
#include "neardup/tools/run_hooks.h"
#include "neardup/tools/summary.h"

namespace neardup::cli {

/// -o and its relatives are listed by each command; these are the same for all runs.
std::vector<LocalOption> with_run_options(std::vector<LocalOption> options);

/// Throws Error{kUsage} for database options without a database: they would be ignored silently.
void check_database_options(const Invocation& invocation);

/// The value of a local option that is a whole number, or `otherwise`. Throws Error{kUsage} that names option, bounds and value.
uint64_t local_number(const Invocation& invocation, std::string_view name, uint64_t otherwise, uint64_t least, uint64_t most);

/// How a command uses its inputs, beyond options.
struct InputUse {
  bool once = false;  ///< both as in SourceOptions
  bool exact_types = false;
  bool reference = false;       ///< a reference corpus: only its text field matters
  std::string copied_fields{};  ///< TargetOptions::fields
};
/// Warnings go to `reporter`.
std::unique_ptr<DocumentSource> open_inputs(const std::vector<std::string>& inputs, const Options& options, const RunPlan& plan,
                                            Reporter& reporter, const InputUse& use = {});

/// "words-5 (0123456789abcdef)"
std::string recipe_label(const Recipe& recipe);
/// "LSH: 15 bands of 8 rows, expected to miss 0.18 % of pairs at exactly the threshold"
std::string search_label(const Options& options, const RunPlan& plan);

/// "2 threads, 3 inputs, 1.2 MB", for the line before a run; and the same as members of JSON.
std::string machine_label(const RunPlan& plan, const DocumentSource& source);
std::string machine_json(const RunPlan& plan, const DocumentSource& source);

/// A run that writes one line of JSON a document to -o, or to standard output: opens everything, announces `what`, runs `job`, reports. For
/// a single document on standard output, prints only warnings.
int run_map(const Invocation& invocation, Reporter& reporter, const std::string& what,
            const std::function<Summary(const Options&, const MapRun&)>& job);

/// "threshold 0.8, " if a similarity decides; empty if the distance of fingerprints does.
std::string threshold_label(const Options& options, const RunPlan& plan);
/// Members of JSON: how pairs are found and judged.
std::string search_json(const Options& options, const RunPlan& plan);

/// The outputs of one run that are named on the command line, checked against each other and the inputs.
class Outputs {
 public:
  /// `names` are the local options that name a file to write, in the order of the report. Under --dry-run there are none.
  Outputs(const Invocation& invocation, std::initializer_list<std::string_view> names);

  /// Throws Error{kUsage} when one is an input or another output. Then opens --summary.
  void check(const DocumentSource& source);
  void check(const std::vector<std::string>& inputs);
  /// Adds one that is not a single file: --output-dir.
  void add_folder(const std::string& path) { written_.push_back(path); }
  /// Removes hidden files that a killed run left next to the outputs.
  void remove_leftovers() const;
  [[nodiscard]] bool has(std::string_view name) const { return !dry_run_ && invocation_.has(name); }
  [[nodiscard]] std::string path(std::string_view name) const { return invocation_.value(name); }

  /// Writes --summary, reports, and returns the exit code.
  int finish(const Summary& summary, Reporter& reporter);
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
