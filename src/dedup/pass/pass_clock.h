// PassClock: numbers, times and announces the passes of a run.
//
// PassMonitor: receives the progress reports of a pass. The clock of a run has one; a job with a single pass makes its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/tools/run_hooks.h"
#include "neardup/tools/summary.h"

namespace neardup {

/// Receives the reports of every pass. Passes ask check_stop() whether to stop.
struct PassMonitor {
  std::function<void(const Progress&)> progress;
  /// Totals of the run, part of every report. Null: none. Changed by one thread, between reports.
  Progress* totals = nullptr;

  /// A report of this pass with the totals.
  [[nodiscard]] Progress begin(std::string_view pass) const;
};
inline constexpr std::chrono::milliseconds kReportPassEvery{200};

/// One thread.
class PassClock {
 public:
  explicit PassClock(std::function<void(const Progress&)> progress) : monitor_{std::move(progress), &totals_} {}
  PassClock(const PassClock&) = delete;
  PassClock& operator=(const PassClock&) = delete;

  /// Announces the number of passes, once and before the first; 0: unknown for the whole run.
  void expect_passes(uint32_t passes) noexcept { totals_.pass_count = passes; }
  /// Counts the next `passes` as finished: they have nothing to do. So the announced number holds from the first report to the last.
  void skip_passes(uint32_t passes) noexcept;

  /// Runs and times `work` as the pass `name`. `work` returns the number of bytes it processed.
  template <typename Work>
  void timed(const std::string& name, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    ++totals_.pass_number;
    if (monitor_.progress) monitor_.progress(monitor_.begin(name));  // rates count from here
    const uint64_t bytes = work();
    add(name, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), bytes);
  }

  /// Valid as long as the clock.
  [[nodiscard]] const PassMonitor& monitor() const noexcept { return monitor_; }
  /// What every report says.
  [[nodiscard]] Progress& totals() noexcept { return totals_; }
  /// One row per name, in the order of first use: in a run with slices a row sums the pass over all of them.
  [[nodiscard]] const std::vector<PassReport>& reports() const noexcept { return reports_; }

 private:
  void add(const std::string& name, double seconds, uint64_t bytes);

  Progress totals_;
  PassMonitor monitor_;
  std::vector<PassReport> reports_;
};

}  // namespace neardup
