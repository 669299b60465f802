#include "online/upkeep.h"

#include <chrono>
#include <exception>
#include <utility>

namespace neardup {

Upkeep::Upkeep(std::function<void()> work, std::function<void(const char*)> failed, uint64_t interval_ms)
    : work_(std::move(work)), failed_(std::move(failed)), interval_ms_(interval_ms), thread_([this] { run(); }) {}

Upkeep::~Upkeep() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Upkeep::poke() {
  {
    const std::lock_guard lock(mutex_);
    poked_ = true;
  }
  changed_.notify_all();
}

void Upkeep::wait(const std::function<bool()>& ready) {
  std::unique_lock lock(mutex_);
  while (!broken_ && !ready()) changed_.wait(lock);
}

void Upkeep::exclude(const std::function<void()>& other) {
  const std::lock_guard lock(working_);
  other();
}

void Upkeep::run() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    if (!poked_) {
      if (interval_ms_ == 0) {
        changed_.wait(lock);
      } else {
        changed_.wait_for(lock, std::chrono::milliseconds(interval_ms_));
      }
      if (ended_) return;
    }
    poked_ = false;
    lock.unlock();
    try {
      const std::lock_guard working(working_);
      work_();
    } catch (const std::exception& error) {
      failed_(error.what());
      lock.lock();
      broken_ = true;
      changed_.notify_all();
      return;
    }
    lock.lock();
    changed_.notify_all();
  }
}

}  // namespace neardup
