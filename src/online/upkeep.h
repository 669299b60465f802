// Upkeep: the thread that writes frozen rows as segments, merges segments, and syncs at intervals.
//
// Thread-safe.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace neardup {

class Upkeep {
 public:
  /// `work` does what is due; it is called after poke(), and every `interval_ms` (0: only then). What it throws goes to `failed`, and it is
  /// not called again.
  Upkeep(std::function<void()> work, std::function<void(const char* message)> failed, uint64_t interval_ms);
  /// Waits for work() to return.
  ~Upkeep();
  Upkeep(const Upkeep&) = delete;
  Upkeep& operator=(const Upkeep&) = delete;

  void poke();
  /// Waits until ready(), which is asked whenever work() has returned, or until it has failed.
  void wait(const std::function<bool()>& ready);
  /// Runs other() while work() does not.
  void exclude(const std::function<void()>& other);

 private:
  void run();

  const std::function<void()> work_;
  const std::function<void(const char*)> failed_;
  const uint64_t interval_ms_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool poked_ = false;
  bool ended_ = false;
  bool broken_ = false;
  std::mutex working_;
  std::thread thread_;
};

}  // namespace neardup
