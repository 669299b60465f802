// MetricsFile: writes the progress of a run to a file for other programs, in the Prometheus text exposition format 0.0.4 (docs/formats.md).
//
// The file is rewritten and renamed, at most once a second and at the end, so a reader never sees a part of it. A counter never decreases.
// One thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "neardup/tools/run_hooks.h"
#include "neardup/tools/summary.h"

namespace neardup::cli {

class MetricsFile {
 public:
  /// Writes the file for the first time. Throws Error{kOutput} when that fails.
  MetricsFile(std::string path, std::string command);
  ~MetricsFile();
  MetricsFile(const MetricsFile&) = delete;
  MetricsFile& operator=(const MetricsFile&) = delete;

  /// These return the reason if the file could not be written, once, and stop writing then. Empty: success.
  std::string update(const Progress& progress);
  /// The final counts of the run.
  std::string count(const Summary& summary);
  std::string finish(bool done);

 private:
  struct Pass {
    std::string name;
    double seconds = 0;
    uint64_t bytes = 0;
    uint64_t documents = 0;
  };
  using Clock = std::chrono::steady_clock;

  void begin(const Progress& progress, Clock::time_point now);
  void note(const Progress& progress, Clock::time_point now);
  [[nodiscard]] std::string text() const;
  std::string write();

  const std::string path_;
  const std::string command_;
  const double started_;  // seconds since 1970
  bool running_ = true;
  bool failed_ = false;
  bool given_up_ = false;
  Progress last_;
  Clock::time_point last_write_;
  Clock::time_point pass_start_;
  std::vector<Pass> passes_;
  size_t pass_ = 0;    // the current pass
  Pass before_;        // its values when it began
  Progress at_start_;  // the report at that time
  uint64_t bytes_read_ = 0;
  uint64_t read_ = 0;
  uint64_t kept_ = 0;
  uint64_t removed_ = 0;
  RejectCounts rejected_;
};

}  // namespace neardup::cli
