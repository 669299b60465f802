// The report of a finished run, from its record and its command line: neardup report, and dedup --report.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/commands/command.h"
#include "neardup/io.h"
#include "neardup/source.h"
#include "neardup/tools/result_file.h"
#include "neardup/tools/run_record.h"

namespace neardup::cli {

/// What a report is made of. Not owned.
struct ReportedRun {
  const RunRecord& record;
  const Invocation& invocation;     ///< the command that began the run
  std::string directory;            ///< ReportRun::directory
  std::vector<std::string> inputs;  ///< RunTexts: all that it read, but for reference indexes
  SourceOptions source;             ///< how it read them
  DocumentSource* open = nullptr;   ///< not null: texts are read from this source of the run, because it cannot be opened again
};

/// The JSON of the report. Texts that cannot be read are missing in it, and it says so. Throws Error.
std::string make_run_report(const ReportedRun& run);

/// --report of dedup: the page, opened before the run begins, and the folder of a record if the run has no checkpoint directory.
class ReportOutput {
 public:
  /// Throws Error{kOutput} at once if the page cannot be written. `temp_dir`: Options::temp_dir; used if `checkpoint_directory` is empty.
  ReportOutput(const std::string& path, const std::string& checkpoint_directory, const std::string& temp_dir);
  ~ReportOutput();
  ReportOutput(const ReportOutput&) = delete;
  ReportOutput& operator=(const ReportOutput&) = delete;

  /// Where the run leaves its record.
  [[nodiscard]] const std::string& directory() const noexcept { return directory_; }
  /// Makes the page of the run that has finished, and gives it its name. Throws Error.
  void write(const Invocation& invocation, std::vector<std::string> inputs, SourceOptions source, DocumentSource* open);

 private:
  ResultFile page_;
  std::string directory_;
  bool temporary_ = false;
};

}  // namespace neardup::cli
