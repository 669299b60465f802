// WorkPool: threads that do what may take a while, so that those of the transport never wait.
//
// Thread-safe.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace neardup::server {

class WorkPool {
 public:
  /// `most_waiting`: pieces of work that wait for a thread.
  WorkPool(uint32_t threads, size_t most_waiting);
  /// As stop().
  ~WorkPool();
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  /// Calls work(), which throws nothing, in a thread. False, and `work` is as it was, if too much waits, or after stop().
  bool post(std::function<void()>&& work);
  /// Drops what waits, ends the threads, and returns when what they were doing is done.
  void stop();

 private:
  void run();

  const size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool ended_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace neardup::server
