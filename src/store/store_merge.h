// merge_smallest(): makes one segment out of the smallest ones of an index, without removed entries. The same for all kinds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "base/mapped_file.h"
#include "store/open_store.h"

namespace neardup {

/// Tells the system that a file is read sequentially until the end of the scope: after a failed merge, queries use it again.
class ReadInOrder {
 public:
  explicit ReadInOrder(const SegmentFile& file) noexcept : file_(file) { file_.expect(MappedFile::Reading::kInOrder); }
  ~ReadInOrder() { file_.expect(MappedFile::Reading::kRandom); }
  ReadInOrder(const ReadInOrder&) = delete;
  ReadInOrder& operator=(const ReadInOrder&) = delete;

 private:
  const SegmentFile& file_;
};

/// The segments to merge so that at most `max_segments` (at least 1) remain: the smallest, the smallest first. None if nothing is gained.
template <typename Part>
std::vector<std::shared_ptr<const Part>> smallest_segments(std::vector<std::shared_ptr<const Part>> segments, const Removals& removals,
                                                           size_t max_segments) {
  max_segments = std::max<size_t>(max_segments, 1);
  std::ranges::stable_sort(segments, {}, [](const auto& part) { return part->listed.entries; });
  // A single segment is rewritten only to drop removed entries.
  const bool alone = segments.size() == 1 && removals.concern(segments[0]->born);
  const size_t merged = segments.size() > max_segments ? segments.size() - max_segments + 1 : (alone && max_segments == 1 ? 1 : 0);
  segments.resize(merged);
  return segments;
}

/// Flushes, and merges the smallest segments until at most `max_segments` remain. write(parts, removals) writes the new segment; it returns
/// nullopt if no entry is left. Others may query and change the store meanwhile.
template <typename Kind, typename Write>
void merge_smallest(OpenStore<Kind>& store, size_t max_segments, const StoreBuild& build, const Write& write) {
  store.require_writing();
  const std::lock_guard merging(store.merging());
  const auto [segments, removals, time] = store.flush_and_snapshot(build);
  const auto taken = smallest_segments(segments, removals, max_segments);
  if (taken.empty()) return;
  std::deque<ReadInOrder> in_order;
  for (const auto& part : taken) in_order.emplace_back(part->segment->file());
  const std::optional<NewSegment> merged = write(taken, removals);
  store.publish(merged, time, taken, build);
}

}  // namespace neardup
