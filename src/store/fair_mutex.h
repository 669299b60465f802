// FairMutex: a shared mutex without writer starvation.
//
// std::shared_mutex may admit readers as long as one holds the lock. Here a waiting writer blocks later readers; without a waiting writer,
// readers pay for one extra load.
#pragma once

#include <atomic>
#include <mutex>
#include <shared_mutex>

namespace neardup {

class FairMutex {
 public:
  void lock() {
    writers_.fetch_add(1);
    turn_.lock();
    mutex_.lock();
  }
  void unlock() {
    mutex_.unlock();
    turn_.unlock();
    writers_.fetch_sub(1);
  }
  void lock_shared() {
    if (writers_.load() != 0) {
      const std::lock_guard turn(turn_);
      mutex_.lock_shared();
    } else {
      mutex_.lock_shared();
    }
  }
  void unlock_shared() { mutex_.unlock_shared(); }

 private:
  std::mutex turn_;
  std::shared_mutex mutex_;
  std::atomic<int> writers_ = 0;
};

}  // namespace neardup
