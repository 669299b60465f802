// MongoQueue: documents go to a server in batches, in order, by a thread of its own, so that a slow server overlaps with what makes them.
//
// add() and finish() are called from one thread at a time. Memory is bounded: add() waits while kMostWaiting batches are waiting.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "io/bson_handle.h"

namespace neardup {

class MongoQueue {
 public:
  static constexpr size_t kMostDocuments = 1000;   // of a batch
  static constexpr size_t kMostBytes = 16u << 20;  // of a batch, unless one document is larger; a message of MongoDB has at most 48 MB
  static constexpr size_t kMostWaiting = 3;        // batches

  using Documents = std::vector<Bson>;
  /// `write` is called by the thread; what it throws comes out of add() or finish().
  explicit MongoQueue(std::function<void(Documents&)> write);
  /// Gives up what still waits.
  ~MongoQueue();
  MongoQueue(const MongoQueue&) = delete;
  MongoQueue& operator=(const MongoQueue&) = delete;

  void add(Bson document);
  /// Returns when everything is written.
  void finish();

 private:
  void work();
  void hand_over();
  void join() noexcept;

  const std::function<void(Documents&)> write_;
  Documents batch_;
  size_t batch_bytes_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Documents> waiting_;
  bool ended_ = false;     // nothing more comes
  bool given_up_ = false;  // what waits is not wanted
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace neardup
