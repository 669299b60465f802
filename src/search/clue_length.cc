#include "search/clue_length.h"

#include <algorithm>
#include <array>
#include <vector>

#include "text/clue/clue_form.h"

namespace neardup {
namespace {

constexpr double kMissedByBound = 1e-3;
// Bounds the work. More common grams have at least as many anchors.
constexpr uint64_t kMaxCommon = 4096;

// The mean number of columns of a code point.
double columns_per_point(std::span<const char32_t> points) noexcept {
  return points.empty() ? 1 : static_cast<double>(column_count(points)) / static_cast<double>(points.size());
}

// The probability that none of m grams in a row is an anchor, if a window has w grams: distances between neighbouring minima of random
// hashes are spread evenly over 1..w.
double none_of(double m, double w) noexcept {
  if (m <= 0) return 1;
  return m >= w ? 0 : (w - m) * (w - m + 1) / (w * (w + 1));
}

}  // namespace

uint32_t column_count(std::span<const char32_t> points) noexcept {
  uint32_t columns = 0;
  for (const char32_t c : points) columns += columns_of(c);
  return columns;
}

uint32_t guaranteed_edit_count(std::span<const char32_t> points, const AnchorShape& shape) noexcept {
  uint32_t stabs = 0;
  size_t begin = 0;
  while (true) {
    // The window at `begin`: the run of its columns, then the gram that begins at its last code point.
    size_t last = begin;
    uint32_t columns = 0;
    while (last < points.size() && columns < shape.window) columns += columns_of(points[last++]);
    if (columns < shape.window) break;
    size_t end = last - 1;
    columns = 0;
    while (end < points.size() && columns < shape.gram) columns += columns_of(points[end++]);
    if (columns < shape.gram) break;
    // An edit of its last character hits every window that begins before it.
    ++stabs;
    begin = end;
  }
  return stabs == 0 ? 0 : stabs - 1;
}

double anchor_density(std::span<const char32_t> points, const AnchorShape& shape) noexcept {
  constexpr double kOpenClosed = 0.9;  // of a random order; measured on random text: 0.92, and 0.93 of ideographs
  return kOpenClosed * 2 / (shape.window / columns_per_point(points) + 1);
}

double predicted_clue_recall(std::span<const char32_t> points, const AnchorShape& shape, double edit_rate) {
  const double columns = columns_per_point(points);
  const double window = shape.window / columns;  // grams
  const double gram = shape.gram / columns;      // characters
  // chance[r]: of no anchor so far, with a current run of r characters without edits.
  const auto longest = static_cast<size_t>(window + gram) + 1;
  std::vector<double> chance(longest + 1, 0);
  std::vector<double> next(longest + 1, 0);
  const auto missed = [&](size_t run) { return none_of(static_cast<double>(run) - gram + 1, window); };
  chance[0] = 1;
  for (size_t i = 0; i < points.size(); ++i) {
    std::ranges::fill(next, 0);
    for (size_t run = 0; run <= longest; ++run) {
      if (run < longest) next[run + 1] += chance[run] * (1 - edit_rate);
      next[0] += chance[run] * edit_rate * missed(run);
    }
    chance.swap(next);
  }
  double none = 0;
  for (size_t run = 0; run <= longest; ++run) none += chance[run] * missed(run);
  return std::clamp(1 - none, 0.0, 1.0);
}

AnchorBound common_anchor_bound(uint64_t common, double density) {
  common = std::min(common, kMaxCommon);
  if (common == 0 || density >= 1) return {static_cast<uint32_t>(std::max<uint64_t>(common, 1)), 1};
  // Probabilities of 0, 1, ... anchors, scaled so that they do not underflow; the sum of all is 1 in the end.
  std::vector<double> chances(common + 1);
  double total = 0;
  const auto peak = static_cast<uint64_t>(static_cast<double>(common) * density);
  const double odds = density / (1 - density);
  chances[peak] = 1;
  for (uint64_t i = peak; i < common; ++i) {
    chances[i + 1] = chances[i] * odds * static_cast<double>(common - i) / static_cast<double>(i + 1);
  }
  for (uint64_t i = peak; i > 0; --i) {
    chances[i - 1] = chances[i] / odds * static_cast<double>(i) / static_cast<double>(common - i + 1);
  }
  for (const double chance : chances) total += chance;
  AnchorBound bound;
  double below = chances[0];  // of fewer than bound.anchors
  while (bound.anchors < common && below + chances[bound.anchors] <= kMissedByBound * total) below += chances[bound.anchors++];
  bound.recall = 1 - below / total;
  return bound;
}

}  // namespace neardup
