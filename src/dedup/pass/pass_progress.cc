#include "dedup/pass/pass_progress.h"

#include <algorithm>
#include <utility>

#include "neardup/stop.h"

namespace neardup {

PassProgress::PassProgress(const PassMonitor& monitor, std::string name, uint64_t total)
    : monitor_(monitor), name_(std::move(name)), total_(total), last_report_(std::chrono::steady_clock::now()) {}

void PassProgress::done(uint64_t steps, uint64_t duplicates) {
  const uint64_t all = steps_.fetch_add(steps, std::memory_order_relaxed) + steps;
  if (duplicates > 0) duplicates_.fetch_add(duplicates, std::memory_order_relaxed);
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  check_stop();
  if (!monitor_.progress) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_report_ < kReportPassEvery) return;
  last_report_ = now;
  Progress progress = monitor_.begin(name_);
  progress.steps_done = total_ == 0 ? all : std::min(all, total_);
  progress.steps_total = total_;
  progress.duplicates += duplicates_.load(std::memory_order_relaxed);
  monitor_.progress(progress);
}

}  // namespace neardup
