#include "text/align/common_runs.h"

#include <algorithm>
#include <limits>

#include "neardup/stop.h"

namespace neardup {
namespace {

constexpr uint64_t kStepsPerAsk = 1 << 20;  // of whether to stop: some milliseconds

}  // namespace

void trim_gap(std::span<const uint32_t> a, std::span<const uint32_t> b, SequenceGap& gap, std::vector<CommonRun>& runs) {
  uint32_t prefix = 0;
  const uint32_t shorter = gap.size_a() < gap.size_b() ? gap.size_a() : gap.size_b();
  while (prefix < shorter && a[gap.a_begin + prefix] == b[gap.b_begin + prefix]) ++prefix;
  if (prefix > 0) runs.push_back({gap.a_begin, gap.b_begin, prefix});
  gap.a_begin += prefix;
  gap.b_begin += prefix;
  uint32_t suffix = 0;
  while (suffix < shorter - prefix && a[gap.a_end - 1 - suffix] == b[gap.b_end - 1 - suffix]) ++suffix;
  gap.a_end -= suffix;
  gap.b_end -= suffix;
  if (suffix > 0) runs.push_back({gap.a_end, gap.b_end, suffix});
}

std::optional<uint64_t> EditSearch::search(SequenceGap gap, uint64_t max_steps, std::vector<CommonRun>& runs) {
  steps_ = 0;
  const size_t runs_before = runs.size();
  std::vector<SequenceGap> todo{gap};
  bool first = true;
  while (!todo.empty()) {
    SequenceGap here = todo.back();
    todo.pop_back();
    trim_gap(a_, b_, here, runs);
    if (here.one_sided()) continue;
    // The halves have half of the edits each, so together they cost less than the whole: only the first meeting point is limited.
    const std::optional<Meeting> meeting = meet(here, first ? max_steps : std::numeric_limits<uint64_t>::max());
    if (!meeting) {
      runs.resize(runs_before);
      return std::nullopt;
    }
    first = false;
    todo.push_back({here.a_begin, meeting->a, here.b_begin, meeting->b});
    todo.push_back({meeting->a, here.a_end, meeting->b, here.b_end});
  }
  return steps_;
}

std::optional<EditSearch::Meeting> EditSearch::meet(const SequenceGap& gap, uint64_t max_steps) {
  const int64_t a_begin = gap.a_begin;
  const int64_t a_end = gap.a_end;
  const int64_t b_begin = gap.b_begin;
  const int64_t b_end = gap.b_end;
  // Diagonals that touch the gap, with one more on each side as a border.
  const int64_t lowest = a_begin - b_end;
  const int64_t highest = a_end - b_begin;
  const auto width = static_cast<size_t>(highest - lowest + 3);
  if (forward_.size() < width) {
    forward_.resize(width);
    backward_.resize(width);
  }
  const int64_t base = lowest - 1;
  const auto furthest = [&](int64_t diagonal) -> int64_t& { return forward_[static_cast<size_t>(diagonal - base)]; };
  const auto nearest = [&](int64_t diagonal) -> int64_t& { return backward_[static_cast<size_t>(diagonal - base)]; };
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  const int64_t start = a_begin - b_begin;
  const int64_t goal = a_end - b_end;
  const bool odd = ((start - goal) & 1) != 0;  // whether the searches meet in a forward step
  furthest(start) = a_begin;
  nearest(goal) = a_end;
  int64_t forward_low = start;
  int64_t forward_high = start;
  int64_t backward_low = goal;
  int64_t backward_high = goal;
  uint64_t steps = 0;
  uint64_t next_ask = kStepsPerAsk;
  const auto meeting = [&](int64_t x, int64_t diagonal) {
    steps_ += steps;
    return Meeting{static_cast<uint32_t>(x), static_cast<uint32_t>(x - diagonal)};
  };
  while (true) {
    // One more edit from the beginning. The range of diagonals grows by one on each side while it lies in the gap, and shrinks outside.
    forward_low > lowest ? furthest(--forward_low - 1) = -1 : ++forward_low;
    forward_high < highest ? furthest(++forward_high + 1) = -1 : --forward_high;
    for (int64_t d = forward_high; d >= forward_low; d -= 2) {
      const int64_t deleted = furthest(d - 1) + 1;
      const int64_t inserted = furthest(d + 1);
      int64_t x = inserted > deleted ? inserted : deleted;
      const int64_t from = x;
      while (x < a_end && x - d < b_end && a_[static_cast<size_t>(x)] == b_[static_cast<size_t>(x - d)]) ++x;
      steps += static_cast<uint64_t>(x - from) + 1;
      furthest(d) = x;
      if (odd && backward_low <= d && d <= backward_high && nearest(d) <= x) return meeting(x, d);
    }
    backward_low > lowest ? nearest(--backward_low - 1) = kNever : ++backward_low;
    backward_high < highest ? nearest(++backward_high + 1) = kNever : --backward_high;
    for (int64_t d = backward_high; d >= backward_low; d -= 2) {
      const int64_t inserted = nearest(d - 1);
      const int64_t deleted = nearest(d + 1) == kNever ? kNever : nearest(d + 1) - 1;
      int64_t x = inserted < deleted ? inserted : deleted;
      const int64_t from = x;
      while (x > a_begin && x - d > b_begin && a_[static_cast<size_t>(x - 1)] == b_[static_cast<size_t>(x - d - 1)]) --x;
      steps += static_cast<uint64_t>(from - x) + 1;
      nearest(d) = x;
      if (!odd && forward_low <= d && d <= forward_high && x <= furthest(d)) return meeting(x, d);
    }
    if (steps > next_ask) {
      check_stop();
      next_ask = steps + kStepsPerAsk;
    }
    if (steps > max_steps) {
      // Searches run beyond the ends of the ranges: there a point counts as the last one inside.
      const auto inside = [&](int64_t d) { return std::min({furthest(d), a_end, b_end + d}); };
      int64_t best = forward_low;
      for (int64_t d = forward_low; d <= forward_high; d += 2) {
        if (2 * inside(d) - d > 2 * inside(best) - best) best = d;
      }
      reached_ = {static_cast<uint32_t>(inside(best)), static_cast<uint32_t>(inside(best) - best)};
      steps_ += steps;
      return std::nullopt;
    }
  }
}

}  // namespace neardup
