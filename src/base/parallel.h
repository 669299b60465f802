// Parallel loops whose results do not depend on the number of threads. They end with Error{kStopped} when the caller's StopScope says so
// (neardup/stop.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace neardup {

/// The number of threads to use: `wanted`, or all cores when 0; at least 1.
uint32_t resolve_threads(uint32_t wanted) noexcept;

/// Calls body(worker, i) for every i in [0, count), handed out in blocks of `grain` in ascending order. worker < threads.
/// The first exception (of the lowest block that threw) is rethrown after all workers stopped. Runs inline when threads == 1.
void parallel_for(uint32_t threads, size_t count, size_t grain, const std::function<void(uint32_t worker, size_t i)>& body);

/// An assembly line: `take` gives the next item under a lock, one call at a time, in order (false ends the line); `work` runs in
/// parallel; `commit` runs one call at a time in the order of `take`. At most slot_count(threads) items are in flight.
/// Items are identified by their ordinal; the caller keeps them in slots[ordinal % slot_count(threads)].
class OrderedLine {
 public:
  using Take = std::function<bool(uint64_t ordinal, size_t slot)>;
  using Work = std::function<void(uint32_t worker, uint64_t ordinal, size_t slot)>;
  using Commit = std::function<void(uint64_t ordinal, size_t slot)>;

  static size_t slot_count(uint32_t threads) noexcept { return size_t{threads} * 2; }
  /// Rethrows the exception of the lowest ordinal that failed; nothing after it is committed.
  static void run(uint32_t threads, const Take& take, const Work& work, const Commit& commit);
};

}  // namespace neardup
