// anchor_runs(): runs that two ranges certainly have in common, found by rare windows.
//
// A window is an anchor if it occurs equally often in both ranges, at most kMaxAnchorOccurrences times; the occurrences are paired in
// their order. The longest chain of pairs that ascends in both ranges wins, and grows into maximal runs. Time is O(n log n) for n elements,
// whatever the sequences.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "text/align/common_runs.h"

namespace neardup {

inline constexpr uint32_t kMaxAnchorOccurrences = 2;

struct AnchorWindow {
  uint32_t width;  ///< elements
  uint64_t mask;   ///< only windows whose hash has none of these bits are looked at: a power of two less one
};

/// Runs in order, which do not overlap; none if there are no anchors.
std::vector<CommonRun> anchor_runs(std::span<const uint32_t> a, std::span<const uint32_t> b, const SequenceGap& gap, AnchorWindow window);

}  // namespace neardup
