// StoreView: the data of an open index at one moment: its segments, and the removals that affect them.
//
// Segments are shared, so that a merge can replace one while it is used. A view is a value: a copy does not change with the store. Const
// calls may come from any number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "store/removals.h"
#include "store/store_manifest.h"

namespace neardup {

/// An open segment of a folder. Segment: has file(), a SegmentFile.
template <typename SegmentType>
struct StorePart {
  uint64_t born = 0;  ///< see removals.h
  std::unique_ptr<const SegmentType> segment;
  ListedSegment listed = {};
};

template <typename SegmentType>
using StorePartPointer = std::shared_ptr<const StorePart<SegmentType>>;

template <typename SegmentType>
struct StoreView {
  using Part = StorePart<SegmentType>;

  std::vector<StorePartPointer<SegmentType>> segments;
  Removals removals;

  /// Throws Error{kInput} if a segment lost bytes since it was opened. Call it after reading and before answering.
  void check_files() const {
    for (const auto& part : segments) part->segment->file().check();
  }
  /// Entries that are not on the disk.
  [[nodiscard]] uint64_t unflushed() const noexcept { return 0; }
  /// Removals up to this time affect nothing any more.
  [[nodiscard]] uint64_t earliest_born() const noexcept {
    uint64_t earliest = UINT64_MAX;
    for (const auto& part : segments) earliest = std::min(earliest, part->born);
    return earliest;
  }
};

}  // namespace neardup
