// CommonRun: a run of equal elements of two sequences. EditSearch: the longest common subsequence of two ranges, as such runs.
//
// Myers' greedy algorithm in linear space (An O(ND) difference algorithm and its variations, 1986): searches from both ends meet in the
// middle of a shortest edit script, and both halves are solved the same way. Time is (elements) * (edits); the caller limits the steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace neardup {

struct CommonRun {
  uint32_t a = 0;  ///< the first element in a
  uint32_t b = 0;  ///< and in b
  uint32_t length = 0;
  friend bool operator==(const CommonRun&, const CommonRun&) = default;
};

/// Ranges [a_begin, a_end) and [b_begin, b_end) of two sequences.
struct SequenceGap {
  uint32_t a_begin = 0;
  uint32_t a_end = 0;
  uint32_t b_begin = 0;
  uint32_t b_end = 0;
  [[nodiscard]] uint32_t size_a() const noexcept { return a_end - a_begin; }
  [[nodiscard]] uint32_t size_b() const noexcept { return b_end - b_begin; }
  [[nodiscard]] uint64_t size() const noexcept { return uint64_t{size_a()} + size_b(); }
  [[nodiscard]] bool one_sided() const noexcept { return size_a() == 0 || size_b() == 0; }
};

/// Removes what both ranges begin and end with, and appends it to `runs`.
void trim_gap(std::span<const uint32_t> a, std::span<const uint32_t> b, SequenceGap& gap, std::vector<CommonRun>& runs);

class EditSearch {
 public:
  EditSearch(std::span<const uint32_t> a, std::span<const uint32_t> b) : a_(a), b_(b) {}

  /// Appends the runs of a longest common subsequence of the gap to `runs`, in no order, and returns the steps taken, which are at most
  /// about twice `max_steps`. Returns nothing, and appends nothing, if the first meeting point needs more than `max_steps`.
  std::optional<uint64_t> search(SequenceGap gap, uint64_t max_steps, std::vector<CommonRun>& runs);

  struct Meeting {
    uint32_t a = 0;
    uint32_t b = 0;
  };
  /// After a search that returned nothing: the point that it reached with the most elements of both ranges done. The gap before it is
  /// solved in about the steps of that search.
  [[nodiscard]] Meeting furthest_reached() const noexcept { return reached_; }

 private:
  // A point that a shortest edit script of the gap goes through. Requires a gap that is trimmed and has elements on both sides.
  std::optional<Meeting> meet(const SequenceGap& gap, uint64_t max_steps);

  std::span<const uint32_t> a_;
  std::span<const uint32_t> b_;
  std::vector<int64_t> forward_;   // the furthest element of a on each diagonal, a - b
  std::vector<int64_t> backward_;  // the nearest, from the end
  uint64_t steps_ = 0;
  Meeting reached_;
};

}  // namespace neardup
