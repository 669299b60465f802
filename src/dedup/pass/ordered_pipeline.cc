#include "dedup/pass/ordered_pipeline.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "base/parallel.h"
#include "neardup/error.h"

namespace neardup {

namespace {

constexpr uint32_t kFetchersPerThread = 4;
// Each has a connection and a batch in memory: not more than servers accept by default (PostgreSQL: 97), unless there are more threads.
constexpr uint32_t kMaxFetchers = 32;

uint32_t worker_count(const DocumentSource& source, uint32_t threads) noexcept {
  return source.waits() ? std::max(threads, std::min(threads * kFetchersPerThread, kMaxFetchers)) : threads;
}

// Permits to compute, one per thread, for a larger number of workers. A worker without a permit waits.
class ThreadPermits {
 public:
  explicit ThreadPermits(uint32_t count) {
    for (uint32_t i = count; i-- > 0;) free_.push_back(i);
  }
  uint32_t take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !free_.empty(); });
    const uint32_t permit = free_.back();
    free_.pop_back();
    return permit;
  }
  void give(uint32_t permit) {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(permit);
    }
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<uint32_t> free_;
};

// Held while a batch is worked on.
class ThreadPermit {
 public:
  explicit ThreadPermit(ThreadPermits& permits) : permits_(permits), number_(permits.take()) {}
  ~ThreadPermit() { permits_.give(number_); }
  ThreadPermit(const ThreadPermit&) = delete;
  ThreadPermit& operator=(const ThreadPermit&) = delete;
  [[nodiscard]] uint32_t number() const noexcept { return number_; }

 private:
  ThreadPermits& permits_;
  const uint32_t number_;
};

}  // namespace

size_t batch_slots(const DocumentSource& source, uint32_t threads) noexcept {
  return OrderedLine::slot_count(worker_count(source, threads));
}

void for_each_batch(DocumentSource& source, uint32_t threads, const PassMonitor& monitor, const std::string& name,
                    const BatchPass::Fetch& fetch, const BatchPass::Work& work, const BatchPass::Commit& commit,
                    uint64_t expected_batches) {
  using Clock = std::chrono::steady_clock;
  source.rewind();
  const bool ahead = source.waits();
  ThreadPermits permits(threads);
  std::vector<std::unique_ptr<Batch>> slots(batch_slots(source, threads));
  Progress progress = monitor.begin(name);
  progress.bytes_total = source.input_bytes();
  const auto count_rejects = [&] {
    if (monitor.totals == nullptr) return;
    progress.rejected = monitor.totals->rejected;
    progress.rejected_by_kind = monitor.totals->rejected_by_kind;
  };
  auto last_report = Clock::now();
  OrderedLine::run(
      worker_count(source, threads),
      [&](uint64_t ordinal, size_t slot) {
        slots[slot] = source.next();
        const bool more = slots[slot] != nullptr;
        if (expected_batches != kAnyBatches && more != (ordinal < expected_batches)) {
          throw Error(ErrorCode::kInput, "the input changed while it was read: a second reading found another number of records");
        }
        return more;
      },
      [&](uint32_t worker, uint64_t ordinal, size_t slot) {
        if (!ahead) return work(worker, *slots[slot], ordinal, slot);
        fetch(*slots[slot], ordinal);
        const ThreadPermit permit(permits);
        work(permit.number(), *slots[slot], ordinal, slot);
      },
      [&](uint64_t ordinal, size_t slot) {
        const uint64_t documents = commit(*slots[slot], ordinal, slot);
        if (documents != BatchPass::kPutBack) {
          progress.documents += documents;
          progress.bytes_done += slots[slot]->input_bytes();
        }
        slots[slot].reset();
        if (monitor.progress && Clock::now() - last_report >= kReportPassEvery) {
          last_report = Clock::now();
          count_rejects();
          monitor.progress(progress);
        }
      });
  count_rejects();
  if (monitor.progress) monitor.progress(progress);
}

}  // namespace neardup
