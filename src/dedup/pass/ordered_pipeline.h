// for_each_batch: one pass over a source, batches in parallel, results in order.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "dedup/pass/pass_clock.h"
#include "neardup/source.h"

namespace neardup {

/// Rewinds the source and reads it once. `work` runs in parallel, `commit` one at a time in the order of the batches; both get the batch,
/// its ordinal, and its slot (below batch_slots()), which is the same from work to commit. Of a source that waits
/// (DocumentSource::waits()), `fetch` runs before `work`, in additional threads: waiting for a slow server and computing overlap. `commit`
/// returns the number of documents it saw, for progress, or kPutBack for a batch that will be read again. Throws what they throw,
/// Error{kStopped} on stop, and Error{kInput} when a later reading has another number of batches than the first (`expected_batches`).
inline constexpr uint64_t kAnyBatches = ~uint64_t{0};
struct BatchPass {
  using Work = std::function<void(uint32_t worker, Batch& batch, uint64_t ordinal, size_t slot)>;
  using Fetch = std::function<void(Batch& batch, uint64_t ordinal)>;
  using Commit = std::function<uint64_t(Batch& batch, uint64_t ordinal, size_t slot)>;
  static constexpr uint64_t kPutBack = ~uint64_t{0};
};
void for_each_batch(DocumentSource& source, uint32_t threads, const PassMonitor& monitor, const std::string& name,
                    const BatchPass::Fetch& fetch, const BatchPass::Work& work, const BatchPass::Commit& commit,
                    uint64_t expected_batches = kAnyBatches);

/// How many slots for_each_batch() uses.
size_t batch_slots(const DocumentSource& source, uint32_t threads) noexcept;

}  // namespace neardup
