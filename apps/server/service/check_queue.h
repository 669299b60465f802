// CheckQueue: requests that change a store wait here; whoever is free takes all that wait, up to a group, and has them decided, written and
// synced together. A sync takes as long for one as for 256.
//
// A few threads take turns: while one waits for the disk, the next decides. Thread-safe.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "neardup/error.h"
#include "neardup/online_store.h"

namespace neardup::server {

/// One call of a client, with one request or many. Exactly one of decided() and failed() is called, in a thread of the queue.
class CheckJob {
 public:
  virtual ~CheckJob() = default;
  /// Views of them live as long as the job.
  [[nodiscard]] std::span<const OnlineRequest> requests() const noexcept { return requests_; }
  /// The answers, in the order of the requests; may be moved from.
  virtual void decided(std::span<OnlineAnswer> answers) noexcept = 0;
  /// Nothing was answered; what was inserted is 'repeated' when it is asked again.
  virtual void failed(const Error& error) noexcept = 0;

 protected:
  std::vector<OnlineRequest> requests_;
};

class CheckQueue {
 public:
  explicit CheckQueue(OnlineStore& store);
  /// As stop().
  ~CheckQueue();
  CheckQueue(const CheckQueue&) = delete;
  CheckQueue& operator=(const CheckQueue&) = delete;

  /// False, and `job` is as it was, after stop().
  bool post(std::unique_ptr<CheckJob>&& job);
  /// Returns when all that was posted is decided or failed.
  void finish();
  /// Decides what waits, and ends the threads.
  void stop();
  /// Requests that wait.
  [[nodiscard]] uint64_t waiting() const;

 private:
  using Jobs = std::vector<std::unique_ptr<CheckJob>>;
  void run();
  void take(Jobs& jobs);
  void decide(const Jobs& jobs, std::vector<OnlineRequest>& requests, std::vector<OnlineAnswer>& answers);

  OnlineStore& store_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable idle_;
  std::deque<std::unique_ptr<CheckJob>> waiting_;
  uint64_t waiting_requests_ = 0;
  int deciding_ = 0;  // threads
  bool ended_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace neardup::server
