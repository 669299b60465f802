#include "io/files/files_ahead.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <ctime>

#include <algorithm>
#include <ctime>
#include <memory>
#include <system_error>

#include "base/open_file.h"

namespace neardup {
namespace {

constexpr int64_t kWaitNs = 100'000;  // longer than any read from the cache, shorter than most from a disk
constexpr int kMaxScore = 32;
constexpr int kRise = 4;

// The time in which this thread did not compute.
int64_t waited_ns() noexcept {
  constexpr int64_t kSecond = 1'000'000'000;
  timespec now{};
  timespec computed{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &computed);
  return (int64_t{now.tv_sec} - computed.tv_sec) * kSecond + now.tv_nsec - computed.tv_nsec;
}

// Reads, because a request to read ahead may return before the storage answered, or be ignored.
void read_into_cache(const std::string& path, uint64_t bytes, const std::atomic<bool>& stop) {
  constexpr size_t kStepBytes = 64u << 10;
  struct stat status {};
  // Opening a pipe or a device has effects.
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || bytes == 0) return;
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) return;
  const auto buffer = std::make_unique_for_overwrite<char[]>(kStepBytes);
  const uint64_t end = std::min(bytes, static_cast<uint64_t>(std::max<off_t>(status.st_size, 0)));
  for (uint64_t at = 0; at < end && !stop;) {
    const ssize_t got = ::pread(file.get(), buffer.get(), std::min<uint64_t>(kStepBytes, end - at), static_cast<off_t>(at));
    if (got <= 0) return;
    at += static_cast<uint64_t>(got);
  }
}

}  // namespace

FilesAhead::Timing::Timing(FilesAhead* ahead) noexcept : ahead_(ahead), begin_ns_(ahead != nullptr ? waited_ns() : 0) {}

void FilesAhead::Timing::stop() noexcept {
  if (FilesAhead* const ahead = std::exchange(ahead_, nullptr)) ahead->note(waited_ns() - begin_ns_);
}

FilesAhead::FilesAhead() : FilesAhead(read_into_cache) {}

FilesAhead::FilesAhead(Reader reader) : reader_(std::move(reader)) {}

FilesAhead::~FilesAhead() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

// Reads of the reader and of the threads count alike: while the storage is slow those of the threads wait, although the reader does not
// have to any more. Lost updates do not matter.
void FilesAhead::note(int64_t waited_ns) noexcept {
  const int score = score_.load(std::memory_order_relaxed);
  const int next = waited_ns > kWaitNs ? std::min(score + kRise, kMaxScore) : std::max(score - 1, 0);
  if (next != score) score_.store(next, std::memory_order_relaxed);
}

void FilesAhead::want(const std::string& path, uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (wanted_.size() >= kMaxWanted) return;
  wanted_.push_back({.path = path, .bytes = bytes});
  if (wanted_.size() > idle_ && threads_.size() < kInFlight) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      if (threads_.empty()) wanted_.clear();
    }
  }
  changed_.notify_one();
}

void FilesAhead::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [this] { return closing_ || !wanted_.empty(); });
    --idle_;
    if (closing_) return;
    if (!helps()) {
      wanted_.clear();  // the reader is faster
      continue;
    }
    const Wanted wanted = std::move(wanted_.front());
    wanted_.pop_front();
    lock.unlock();
    try {
      const Timing timing(*this);
      reader_(wanted.path, wanted.bytes, closing_);
    } catch (...) {
      // No memory: the real read will be slower.
    }
    lock.lock();
  }
}

FilesAhead::Timing UpcomingFiles::reading(size_t i) {
  constexpr size_t kTimed = 8;  // asking for the time of a thread takes as long as some reads from the cache
  const bool helps = ahead_.helps();
  if (helps) {
    next_ = std::max(next_, i + 1);
    for (; next_ < count_ && next_ <= i + FilesAhead::kWindow; ++next_) want_(ahead_, next_);
  }
  return FilesAhead::Timing(helps || i % kTimed == 0 ? &ahead_ : nullptr);
}

}  // namespace neardup
