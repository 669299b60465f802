#include "dedup/batch_line.h"

#include <chrono>
#include <memory>
#include <vector>

#include "base/parallel.h"
#include "neardup/error.h"

namespace neardup {

void for_each_batch(DocumentSource& source, uint32_t threads, const PassMonitor& monitor, const std::string& name,
                    const BatchPass::Work& work, const BatchPass::Commit& commit, uint64_t expected_batches) {
  using Clock = std::chrono::steady_clock;
  source.rewind();
  std::vector<std::unique_ptr<Batch>> slots(OrderedLine::slot_count(threads));
  Progress progress = monitor.begin(name);
  progress.bytes_total = source.input_bytes();
  auto last_report = Clock::now();
  OrderedLine::run(
      threads,
      [&](uint64_t ordinal, size_t slot) {
        if (monitor.stop && monitor.stop()) throw Error(ErrorCode::kInput, "stopped on request");
        slots[slot] = source.next();
        const bool more = slots[slot] != nullptr;
        if (expected_batches != kAnyBatches && more != (ordinal < expected_batches)) {
          throw Error(ErrorCode::kInput, "the input changed while it was read: a second reading gave another number of records");
        }
        return more;
      },
      [&](uint32_t worker, uint64_t ordinal, size_t slot) { work(worker, *slots[slot], ordinal, slot); },
      [&](uint64_t ordinal, size_t slot) {
        progress.documents += commit(*slots[slot], ordinal, slot);
        progress.bytes_done += slots[slot]->input_bytes();
        slots[slot].reset();
        if (monitor.progress && Clock::now() - last_report >= kReportPassEvery) {
          last_report = Clock::now();
          if (monitor.known != nullptr) progress.rejected = monitor.known->rejected;
          monitor.progress(progress);
        }
      });
  if (monitor.known != nullptr) progress.rejected = monitor.known->rejected;
  if (monitor.progress) monitor.progress(progress);
}

}  // namespace neardup
