// PassProgress: reports the progress of a pass that reads no input (grouping, deciding), and asks whether to stop.
//
// One per pass; any number of threads. The thread that calls when a report is due makes it; the others continue.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

#include "dedup/pass/pass_clock.h"

namespace neardup {

class PassProgress {
 public:
  /// `monitor` must outlive it. `total` steps make the pass; 0: unknown.
  PassProgress(const PassMonitor& monitor, std::string name, uint64_t total);

  /// Adds finished `steps`, and `duplicates` that are known to be removed. Throws Error{kStopped}.
  void done(uint64_t steps, uint64_t duplicates = 0);
  /// Only asks whether to stop.
  void ask() { done(0); }

 private:
  const PassMonitor& monitor_;
  const std::string name_;
  const uint64_t total_;
  std::atomic<uint64_t> steps_{0};
  std::atomic<uint64_t> duplicates_{0};
  std::mutex mutex_;  // guards what follows, and the calls of the monitor
  std::chrono::steady_clock::time_point last_report_;
};

}  // namespace neardup
