#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/limits.h"
#include "neardup/stop.h"

namespace neardup {
namespace {

// Keeps the exception of the lowest position, so that the message does not depend on timing.
class FirstError {
 public:
  void record(uint64_t position) {
    const std::lock_guard lock(mutex_);
    if (position < position_) {
      position_ = position;
      error_ = std::current_exception();
    }
  }
  void rethrow_if_any() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  uint64_t position_ = std::numeric_limits<uint64_t>::max();
  std::exception_ptr error_;
};

void run_workers(uint32_t threads, const std::function<void(uint32_t)>& body) {
  std::vector<std::jthread> others;
  others.reserve(threads - 1);
  const StopFunction* const stop = current_stop();
  try {
    for (uint32_t worker = 1; worker < threads; ++worker) {
      others.emplace_back([&body, worker, stop] {
        const StopScope scope(stop);
        body(worker);
      });
    }
  } catch (const std::system_error&) {
    // The system refuses more threads: the existing ones do all the work, and results do not depend on their number.
  }
  body(0);
}

}  // namespace

uint32_t resolve_threads(uint32_t wanted) noexcept {
  const uint32_t threads = wanted != 0 ? wanted : std::max(1u, std::thread::hardware_concurrency());
  return std::min(threads, limits::kMaxThreads);
}

void parallel_for(uint32_t threads, size_t count, size_t grain, const std::function<void(uint32_t, size_t)>& body) {
  grain = std::max<size_t>(grain, 1);
  const size_t blocks = (count + grain - 1) / grain;
  threads = static_cast<uint32_t>(std::min<size_t>(threads, blocks));
  if (threads <= 1) {
    for (size_t i = 0; i < count; ++i) {
      if (i % grain == 0) check_stop();
      body(0, i);
    }
    return;
  }
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};
  FirstError error;
  run_workers(threads, [&](uint32_t worker) {
    while (!failed.load(std::memory_order_relaxed)) {
      const size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
      if (begin >= count) return;
      try {
        check_stop();
        for (size_t i = begin; i < std::min(begin + grain, count); ++i) body(worker, i);
      } catch (...) {
        error.record(begin);
        failed.store(true, std::memory_order_relaxed);
      }
    }
  });
  error.rethrow_if_any();
}

namespace {

// The shared state of one OrderedLine::run. Slots: an ordinal occupies slot ordinal % slots from its take until its commit.
class Line {
 public:
  Line(size_t slots, const OrderedLine::Take& take, const OrderedLine::Work& work, const OrderedLine::Commit& commit)
      : slots_(slots), done_(slots, false), take_(take), work_(work), commit_(commit) {}

  void work_until_end(uint32_t worker) {
    uint64_t ordinal = 0;
    while (take_next(ordinal)) {
      try {
        work_(worker, ordinal, ordinal % slots_);
      } catch (...) {
        fail(ordinal);
        return;
      }
      commit_ready(ordinal);
    }
  }
  void rethrow_if_any() const { error_.rethrow_if_any(); }

 private:
  bool take_next(uint64_t& ordinal) {
    std::unique_lock lock(mutex_);
    // One taker at a time; and a slot must be free before the next item may enter it.
    changed_.wait(lock, [&] { return failed() || ended_ || (!taking_ && taken_ - committed_ < slots_); });
    if (failed() || ended_) return false;
    taking_ = true;
    ordinal = taken_;
    lock.unlock();
    bool more = false;
    bool threw = false;
    try {
      check_stop();
      more = take_(ordinal, ordinal % slots_);
    } catch (...) {
      threw = true;
      error_.record(ordinal);
    }
    lock.lock();
    taking_ = false;
    if (threw) fail_at(ordinal);
    if (more) ++taken_;
    if (!more) ended_ = true;
    changed_.notify_all();
    return more && !failed();
  }

  // Marks the item as done; whoever holds the line's head commits all that are ready, in order.
  void commit_ready(uint64_t ordinal) {
    std::unique_lock lock(mutex_);
    done_[ordinal % slots_] = true;
    if (committing_) return;
    committing_ = true;
    // Items before a failure are still committed: a failure among them is the one to report.
    while (committed_ < failed_at_ && committed_ < taken_ && done_[committed_ % slots_]) {
      const uint64_t head = committed_;
      lock.unlock();
      bool threw = false;
      try {
        commit_(head, head % slots_);
      } catch (...) {
        threw = true;
        error_.record(head);
      }
      lock.lock();
      if (threw) fail_at(head);
      done_[head % slots_] = false;
      ++committed_;
      changed_.notify_all();
    }
    committing_ = false;
  }

  void fail(uint64_t ordinal) {
    error_.record(ordinal);
    const std::lock_guard lock(mutex_);
    fail_at(ordinal);
    changed_.notify_all();
  }

  // Both under the mutex.
  [[nodiscard]] bool failed() const noexcept { return failed_at_ != kNever; }
  void fail_at(uint64_t ordinal) noexcept { failed_at_ = std::min(failed_at_, ordinal); }

  const size_t slots_;
  std::vector<bool> done_;
  const OrderedLine::Take& take_;
  const OrderedLine::Work& work_;
  const OrderedLine::Commit& commit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  FirstError error_;
  uint64_t taken_ = 0;
  uint64_t committed_ = 0;
  bool taking_ = false;
  bool committing_ = false;
  bool ended_ = false;
  static constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();
  uint64_t failed_at_ = kNever;  // the lowest ordinal that failed
};

}  // namespace

void OrderedLine::run(uint32_t threads, const Take& take, const Work& work, const Commit& commit) {
  threads = std::max(threads, 1u);
  Line line(slot_count(threads), take, work, commit);
  if (threads == 1) {
    line.work_until_end(0);
  } else {
    run_workers(threads, [&](uint32_t worker) { line.work_until_end(worker); });
  }
  line.rethrow_if_any();
}

}  // namespace neardup
