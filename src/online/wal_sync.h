// WalSync: tells callers when what they wrote is on the disk. One of those who wait syncs for all.
//
// Thread-safe.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace neardup {

class WalSync {
 public:
  /// `sync` writes everything written before to the disk, and throws Error. Everything below `durable` is on the disk.
  WalSync(std::function<void()> sync, uint64_t durable) : sync_(std::move(sync)), written_(durable), durable_(durable) {}

  /// Sequences below `end` were written.
  void note_written(uint64_t end) {
    const std::lock_guard lock(mutex_);
    written_ = end;
  }
  /// Returns when sequences below `end`, which were written, are on the disk. Throws what sync throws, and so does every later call: what a
  /// failed sync left on the disk is unknown.
  void wait(uint64_t end);
  /// Marks that a write failed, with this message: wait() throws from now on.
  void fail(const std::string& message);
  /// Throws Error{kOutput} after a failure.
  void require_sound() const;

  /// Why it failed; empty: it did not.
  [[nodiscard]] std::string failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
  }
  [[nodiscard]] bool failed() const {
    const std::lock_guard lock(mutex_);
    return !failure_.empty();
  }
  [[nodiscard]] uint64_t durable() const {
    const std::lock_guard lock(mutex_);
    return durable_;
  }
  [[nodiscard]] uint64_t syncs() const {
    const std::lock_guard lock(mutex_);
    return syncs_;
  }

 private:
  void require_sound_locked() const;

  const std::function<void()> sync_;
  mutable std::mutex mutex_;
  std::condition_variable done_;
  uint64_t written_;
  uint64_t durable_;
  uint64_t syncs_ = 0;
  bool syncing_ = false;
  std::string failure_;
};

/// Syncs while its owner writes the next groups. For one thread.
class SyncAhead {
 public:
  explicit SyncAhead(WalSync& sync);
  /// Returns when the sync that is under way has ended.
  ~SyncAhead();
  SyncAhead(const SyncAhead&) = delete;
  SyncAhead& operator=(const SyncAhead&) = delete;

  /// Sequences below `end` were written, and are to be on the disk soon.
  void note(uint64_t end);
  /// Returns when all that was noted is on the disk. Throws as WalSync::wait().
  void finish();

 private:
  void run();

  WalSync& sync_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t needed_ = 0;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace neardup
