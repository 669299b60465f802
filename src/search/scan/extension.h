// extends(): whether the text next to a piece of a clue continues as the clue does, with few edits.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace neardup {

inline constexpr uint32_t kMaxExtensionEdits = 2;

/// The edit distance between the `length` code points pattern(0), pattern(1), ... and any beginning of what next_point() gives until it
/// gives nothing is at most `edits`. Only the cells of the table next to its diagonal are computed, and mostly few of them: the first row
/// without a number of at most `edits` decides. Requires edits <= kMaxExtensionEdits. `read` is scratch memory.
template <typename Pattern, typename NextPoint>
bool extends(size_t length, uint32_t edits, const Pattern& pattern, const NextPoint& next_point, std::vector<char32_t>& read) {
  constexpr uint32_t kFar = 1000;
  // Cell k of row i stands for the beginning of i + k - edits code points; one more is for the neighbour of the last.
  std::array<uint32_t, 2 * kMaxExtensionEdits + 2> row;
  row.fill(kFar);
  const uint32_t cells = 2 * edits + 1;
  for (uint32_t k = edits; k < cells; ++k) row[k] = k - edits;
  read.clear();
  bool ended = false;
  for (size_t i = 1; i <= length; ++i) {
    while (!ended && read.size() < i + edits) {
      const std::optional<char32_t> c = next_point();
      ended = !c;
      if (c) read.push_back(*c);
    }
    const char32_t wanted = pattern(i - 1);
    uint32_t before = kFar;
    uint32_t least = kFar;
    for (uint32_t k = 0; k < cells; ++k) {
      uint32_t cell = kFar;
      if (i + k >= edits && i + k - edits <= read.size()) {
        const size_t begun = i + k - edits;
        cell = std::min(row[k + 1], before) + 1;
        if (begun > 0) cell = std::min(cell, row[k] + static_cast<uint32_t>(read[begun - 1] != wanted));
      }
      row[k] = before = cell;
      least = std::min(least, cell);
    }
    if (least > edits) return false;
  }
  return true;
}

}  // namespace neardup
