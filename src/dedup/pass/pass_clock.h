// PassClock: the passes of a run in their order: it numbers them, times them and says which one begins.
//
// PassMonitor: what a pass reports its progress to. The clock of a run has one; a job of a single pass makes its own.
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

/// What every pass reports to. Whether to stop, it asks check_stop().
struct PassMonitor {
  std::function<void(const Progress&)> progress;
  /// What the run as a whole has counted; goes into every report. Null: nothing. Changed by one thread, between reports.
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

  /// Announces the number of passes, of which some may be dropped later; 0: unknown, which it remains.
  void expect_passes(uint32_t passes) noexcept { totals_.pass_count = passes; }
  /// Lowers the announced number of passes.
  void drop_expected_passes(uint32_t passes) noexcept;

  /// Times what `work` does as the pass `name`. `work` returns the bytes that it went through.
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
  /// One row for each name, in the order of the first time: in a run of slices a pass is what it did for all of them.
  [[nodiscard]] const std::vector<PassReport>& reports() const noexcept { return reports_; }

 private:
  void add(const std::string& name, double seconds, uint64_t bytes);

  Progress totals_;
  PassMonitor monitor_;
  std::vector<PassReport> reports_;
};

}  // namespace neardup
