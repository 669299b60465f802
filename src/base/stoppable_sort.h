// stoppable_sort: std::sort that a request to stop ends (neardup/stop.h).
//
// A comparator that counts and asks costs 8% of a sort. So large ranges are split around a pivot, without a branch that the processor could
// guess wrong, until they are small enough for std::sort, and the stop function is asked once for each piece: that costs nothing, the
// splitting is even faster than what std::sort does on these levels.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "neardup/stop.h"

namespace neardup {
namespace stoppable_sort_parts {

inline constexpr ptrdiff_t kPiece = 1 << 16;  // records: a few milliseconds of std::sort
inline constexpr int kMostSplits = 64;        // pivots that are bad again and again leave the rest to std::sort, which bounds its own time

/// Moves the records that `is_first` to the front. Returns the end of these.
template <typename Record, typename IsFirst>
Record* split(Record* begin, Record* end, const IsFirst& is_first) {
  Record* firsts = begin;
  for (Record* at = begin; at != end; ++at) {
    const Record record = *at;
    *at = *firsts;
    *firsts = record;
    firsts += static_cast<ptrdiff_t>(is_first(record));
  }
  return firsts;
}

template <typename Record>
Record pivot_of(const Record* begin, ptrdiff_t count) {
  std::array<Record, 9> sample;
  for (size_t i = 0; i < sample.size(); ++i) sample[i] = begin[(count - 1) / 8 * static_cast<ptrdiff_t>(i)];
  std::nth_element(sample.begin(), sample.begin() + 4, sample.end());
  return sample[4];
}

template <typename Record>
void sort(Record* begin, Record* end, int splits) {
  for (; end - begin > kPiece && splits > 0; --splits) {
    check_stop();
    const Record pivot = pivot_of(begin, end - begin);
    Record* const middle = split(begin, end, [&](const Record& record) { return record < pivot; });
    if (middle == begin) {  // the pivot is the least: all that are equal to it are in place
      begin = split(begin, end, [&](const Record& record) { return !(pivot < record); });
      continue;
    }
    sort(begin, middle, splits - 1);
    begin = middle;
  }
  check_stop();
  std::sort(begin, end);
}

}  // namespace stoppable_sort_parts

/// Ascending. Throws Error{kStopped}; then the records are all there, in any order.
template <typename Record>
void stoppable_sort(Record* begin, Record* end) {
  static_assert(std::is_trivially_copyable_v<Record>);
  stoppable_sort_parts::sort(begin, end, stoppable_sort_parts::kMostSplits);
}

}  // namespace neardup
