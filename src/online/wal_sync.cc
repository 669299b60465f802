#include "online/wal_sync.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "neardup/error.h"

namespace neardup {

void WalSync::wait(uint64_t end) {
  std::unique_lock lock(mutex_);
  while (durable_ < end) {
    require_sound_locked();
    if (syncing_) {
      done_.wait(lock);
      continue;
    }
    syncing_ = true;
    const uint64_t covered = written_;
    lock.unlock();
    std::string failure;
    try {
      sync_();
    } catch (const std::exception& error) {
      failure = error.what();
    }
    lock.lock();
    syncing_ = false;
    ++syncs_;
    if (failure.empty()) {
      durable_ = std::max(durable_, covered);
    } else {
      failure_ = failure;
    }
    done_.notify_all();
  }
}

void WalSync::fail(const std::string& message) {
  const std::lock_guard lock(mutex_);
  if (failure_.empty()) failure_ = message;
  done_.notify_all();
}

void WalSync::require_sound() const {
  const std::lock_guard lock(mutex_);
  require_sound_locked();
}

void WalSync::require_sound_locked() const {
  if (failure_.empty()) return;
  throw Error(ErrorCode::kOutput, fmt::format("the store takes no changes until it is opened again: {}", failure_));
}

SyncAhead::SyncAhead(WalSync& sync) : sync_(sync), thread_([this] { run(); }) {}

SyncAhead::~SyncAhead() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void SyncAhead::note(uint64_t end) {
  {
    const std::lock_guard lock(mutex_);
    needed_ = std::max(needed_, end);
  }
  changed_.notify_one();
}

void SyncAhead::finish() {
  const uint64_t needed = [this] {
    const std::lock_guard lock(mutex_);
    return needed_;
  }();
  sync_.wait(needed);
}

// A failure shows in finish(), which asks again.
void SyncAhead::run() {
  uint64_t done = 0;
  std::unique_lock lock(mutex_);
  while (!ended_) {
    if (needed_ <= done) {
      changed_.wait(lock);
      continue;
    }
    done = needed_;
    lock.unlock();
    try {
      sync_.wait(done);
    } catch (const std::exception&) {
      return;
    }
    lock.lock();
  }
}

}  // namespace neardup
