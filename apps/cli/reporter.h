// Reporter: everything that a run says on standard error: what it will do, progress, warnings, the summary, errors.
//
// Text for people, or one JSON object a line (--log-format json). --quiet leaves the errors only. Progress as text appears only on a
// terminal, in one line that is erased at the end. One thread at a time.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metrics_file.h"
#include "neardup/dedup.h"
#include "pace.h"

namespace neardup::cli {

/// What is said at the end of a run.
struct RunReport {
  std::string text;  ///< lines
  std::string json;  ///< an object
  std::vector<std::string> warnings;
};

class Reporter {
 public:
  enum class Format { kText, kJson };

  Reporter() = default;
  Reporter(std::string_view command, Format format, bool quiet);
  ~Reporter() { erase_progress(); }
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;

  /// One line before a run; `json` are the members of the same as JSON, without braces.
  void start(std::string_view text, std::string_view json);
  void progress(const Progress& progress);
  /// Progress goes to this file too, whatever else is said: from start() on, when all outputs are known to be apart. That throws
  /// Error{kOutput} when it cannot be written.
  void write_metrics(const std::string& path);
  /// What the run did, for the metrics; before finish().
  void count(const Summary& summary);
  /// The run's warnings, its summary, and the outputs that were written.
  void finish(const RunReport& report, const std::vector<std::string>& outputs, bool dry_run);
  void note(std::string_view message);
  void warning(std::string_view message);
  void error(std::string_view message);
  /// The command that goes on after a failure: every error says it from now on. Empty: none.
  void set_resume(std::string command) { resume_ = std::move(command); }

 private:
  using Clock = std::chrono::steady_clock;

  void metric_problem(const std::string& problem);
  void event(std::string_view name, std::string_view members);
  void show_progress(const Progress& progress, const Pace& pace);
  void erase_progress();

  std::string command_;
  std::string resume_;
  std::string metrics_path_;
  std::optional<MetricsFile> metrics_;
  Format format_ = Format::kText;
  bool quiet_ = false;
  bool terminal_ = false;
  bool progress_shown_ = false;
  Clock::time_point last_shown_{};
  // Where the current pass stood when it was first heard of: rates are measured from there.
  std::string pass_;
  Clock::time_point pass_start_{};
  Progress pass_first_;
};

}  // namespace neardup::cli
