#include "io/mongo_queue.h"

#include <utility>

namespace neardup {

MongoQueue::MongoQueue(std::function<void(Documents&)> write) : write_(std::move(write)), thread_([this] { work(); }) {}

MongoQueue::~MongoQueue() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = given_up_ = true;
  }
  join();
}

void MongoQueue::join() noexcept {
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void MongoQueue::add(Bson document) {
  if (!batch_.empty() && batch_bytes_ + document->len > kMostBytes) hand_over();
  batch_bytes_ += document->len;
  batch_.push_back(std::move(document));
  if (batch_.size() == kMostDocuments) hand_over();
}

void MongoQueue::hand_over() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return error_ || waiting_.size() < kMostWaiting; });
  if (error_) std::rethrow_exception(error_);
  waiting_.push_back(std::exchange(batch_, {}));
  batch_bytes_ = 0;
  changed_.notify_all();
}

void MongoQueue::finish() {
  if (!batch_.empty()) hand_over();
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  join();
  if (error_) std::rethrow_exception(error_);
}

void MongoQueue::work() {
  while (true) {
    Documents documents;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
      if (given_up_ || waiting_.empty()) return;
      documents = std::move(waiting_.front());
      waiting_.pop_front();
      changed_.notify_all();
    }
    try {
      write_(documents);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      error_ = std::current_exception();
      changed_.notify_all();
      return;
    }
  }
}

}  // namespace neardup
