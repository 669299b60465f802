// WriteBehind: writes blocks to a slow target in order, in a separate thread, so that writing overlaps with producing them.
//
// put() and finish() are called from one thread at a time. Memory is bounded: put() waits while `max_waiting` blocks are waiting.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace neardup {

template <typename Block>
class WriteBehind {
 public:
  /// The thread calls `write`; put() and finish() rethrow its exception, and nothing is written after it.
  WriteBehind(size_t max_waiting, std::function<void(Block&)> write)
      : max_waiting_(max_waiting), write_(std::move(write)), thread_([this] { work(); }) {}
  /// Discards pending blocks.
  ~WriteBehind() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
      waiting_.clear();
    }
    join();
  }
  WriteBehind(const WriteBehind&) = delete;
  WriteBehind& operator=(const WriteBehind&) = delete;

  void put(Block block) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return error_ || waiting_.size() < max_waiting_; });
    if (error_) std::rethrow_exception(error_);
    waiting_.push_back(std::move(block));
    changed_.notify_all();
  }
  /// Returns when everything is written; nothing may be put after it.
  void finish() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void join() noexcept {
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      Block block = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      changed_.notify_all();
      std::exception_ptr error;
      try {
        write_(block);
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (!error) continue;
      error_ = error;
      changed_.notify_all();
      return;
    }
  }

  const size_t max_waiting_;
  const std::function<void(Block&)> write_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Block> waiting_;
  bool ended_ = false;  // no more blocks follow
  std::exception_ptr error_;
  std::thread thread_;  // last: it uses all of them
};

}  // namespace neardup
