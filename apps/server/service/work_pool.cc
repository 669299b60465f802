#include "server/service/work_pool.h"

#include <utility>

namespace neardup::server {

WorkPool::WorkPool(uint32_t threads, size_t most_waiting) : most_waiting_(most_waiting) {
  for (uint32_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

WorkPool::~WorkPool() {
  stop();
}

bool WorkPool::post(std::function<void()>&& work) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_ || waiting_.size() >= most_waiting_) return false;
    waiting_.push_back(std::move(work));
  }
  changed_.notify_one();
  return true;
}

void WorkPool::stop() {
  std::deque<std::function<void()>> dropped;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    dropped.swap(waiting_);
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void WorkPool::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
    work = {};  // what it holds may be large
    lock.lock();
  }
}

}  // namespace neardup::server
