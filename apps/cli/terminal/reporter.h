// Reporter: the messages of a run on standard error: its start, progress, warnings, the summary, errors.
//
// Text for people, or one JSON object per line (--log-format json). --quiet prints only errors. Progress as text appears on a terminal, in
// one line that is drawn again and erased at the end; with --progress always also elsewhere, in a line every few seconds. Messages, whoever
// wrote them, contain nothing that could control a terminal (neardup/tools/printable.h), and no password of the command line
// (neardup/tools/secrets.h). One thread at a time.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/metrics_file.h"
#include "neardup/tools/run_hooks.h"
#include "neardup/tools/secrets.h"
#include "neardup/tools/summary.h"

namespace neardup::cli {

/// The final report of a run.
struct RunReport {
  std::string text;  ///< lines
  std::string json;  ///< an object
  std::vector<std::string> warnings;
  std::string next{};  ///< lines after the outputs, for people only: what to do next
};

class Reporter {
 public:
  enum class Format { kText, kJson };  ///< in the order of the values of --log-format, like the next one of those of --progress
  /// When progress is reported: kAuto as JSON, and as text if standard error is a terminal that can draw a line again.
  enum class ShowProgress { kAuto, kAlways, kNever };

  Reporter() = default;
  Reporter(std::string_view command, Format format, bool quiet, ShowProgress show = ShowProgress::kAuto);
  ~Reporter() { erase_progress(); }
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;

  /// Before a run: one line, broken at the width of a terminal; `json` are the members of the same as JSON, without braces.
  void start(std::string_view text, std::string_view json);
  void progress(const Progress& progress);
  /// Writes progress to this file too, in any mode, from start() on, when all outputs are known to differ. start() throws Error{kOutput}
  /// when it cannot be written.
  void write_metrics(const std::string& path);
  /// Results are printed on the same terminal: draws no progress line, because they would continue it. With ShowProgress::kAlways it is
  /// logged instead.
  void share_terminal() { draws_line_ = false; }
  /// The final counts, for the metrics; before finish().
  void count(const Summary& summary);
  /// The run's warnings, its summary, and the outputs that were written.
  void finish(const RunReport& report, const std::vector<std::string>& outputs, bool dry_run);
  void note(std::string_view message);
  /// May be called while progress() is, from another thread: some warnings are found while inputs are read.
  void warning(std::string_view message);
  /// `hint`: a second line, of text for people only.
  void error(std::string_view message, std::string_view hint = {});
  /// A signal ended the run. `to_files`: also reports what happened to its outputs.
  void stopped(bool to_files);
  /// The outputs have their names; further work follows.
  void outputs_written() { outputs_written_ = true; }
  /// The command that resumes after a failure: every later error names it. Empty: none.
  void set_resume(std::string command) { resume_ = std::move(command); }
  /// Words of a command line, now or when the run began: secrets in them are hidden in all messages.
  void hide_secrets_of(const std::vector<std::string>& words);

 private:
  using Clock = std::chrono::steady_clock;

  void metric_problem(const std::string& problem);
  void event(std::string_view name, std::string_view members);
  [[nodiscard]] std::string line(std::string_view message) const;
  [[nodiscard]] std::string quoted(std::string_view message) const;
  void fail(std::string_view message);
  /// `text` in this color, if standard error has colors.
  [[nodiscard]] std::string colored(std::string_view text, std::string_view color) const;
  [[nodiscard]] bool reports_progress() const noexcept;
  /// True if the report is due at `now`; as text, a pass that has done nothing yet is not shown.
  bool progress_due(const Progress& progress, Clock::time_point now);
  void erase_progress();

  std::recursive_mutex mutex_;  // progress() may warn
  std::string command_;
  std::string resume_;
  Secrets secrets_;
  std::string metrics_path_;
  std::optional<MetricsFile> metrics_;
  Format format_ = Format::kText;
  bool quiet_ = false;
  ShowProgress show_ = ShowProgress::kAuto;
  bool redraws_ = false;     // standard error is a terminal that can draw a line again
  bool draws_line_ = false;  // progress is drawn as such a line
  bool colored_ = false;
  bool progress_shown_ = false;
  bool outputs_written_ = false;
  Clock::time_point last_shown_{};
  // The first report of the current pass: rates are measured from there.
  std::string pass_;
  Clock::time_point pass_start_{};
  Progress pass_first_;
};

}  // namespace neardup::cli
