#include "search/clue_length.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "text/clue/clue_form.h"

namespace neardup {
namespace {

constexpr double kMissedByBound = 1e-3;
// Bounds the work. More common grams have at least as many anchors.
constexpr uint64_t kMaxCommon = 4096;
constexpr size_t kMaxPredicted = 128;
// The shares of anchors with a single edit that near_grams() guesses: those in the first half of the grams that come first, but for edits
// that brought or replaced an ideograph, and for letters that the clue lacks.
constexpr double kGuessedNarrow = 0.5;
constexpr double kGuessedWide = 0.2;

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

// The probability that a search for an edited clue finds no anchor: a walk over the characters of the clue. What matters of those before
// are the edits left, and the runs without an edit before and after the last edit.
class EditedClue {
 public:
  EditedClue(std::span<const char32_t> points, const AnchorShape& shape)
      : length_(points.size()),
        columns_(columns_per_point(points)),
        window_(shape.window / columns_),
        gram_(shape.gram / columns_),
        before_(static_cast<size_t>(std::ceil(gram_)) + 1),
        after_(static_cast<size_t>(window_ + gram_) + 2) {}

  [[nodiscard]] double missed(uint32_t edits) const {
    edits = static_cast<uint32_t>(std::min<size_t>(edits, length_));
    const std::vector<double> missed_at = table();
    std::vector<double> chance((edits + 1) * states(), 0);
    std::vector<double> next(chance.size());
    chance[edits * states() + state(before_ - 1, 0)] = 1;  // nothing precedes the clue: as after an edit far away
    for (size_t i = 0; i < length_; ++i) {
      std::ranges::fill(next, 0);
      for (uint32_t left = 0; left <= edits; ++left) {
        const double edited = std::min(1.0, static_cast<double>(left) / static_cast<double>(length_ - i));
        for (size_t before = 0; before < before_; ++before) {
          for (size_t after = 0; after < after_; ++after) {
            const double here = chance[left * states() + state(before, after)];
            if (here == 0) continue;
            next[left * states() + state(before, std::min(after + 1, after_ - 1))] += here * (1 - edited);
            if (left > 0)
              next[(left - 1) * states() + state(std::min(after, before_ - 2), 0)] += here * edited * missed_at[state(before, after)];
          }
        }
      }
      chance.swap(next);
    }
    double all = 0;
    for (size_t at = 0; at < states(); ++at) all += chance[at] * missed_at[at];
    return all;
  }

 private:
  [[nodiscard]] size_t states() const noexcept { return before_ * after_; }
  [[nodiscard]] size_t state(size_t before, size_t after) const noexcept { return before * after_ + after; }

  // That the run after the last edit has no anchor, and no guess for a gram with that edit alone is one; `before_` - 1: no edit so far.
  [[nodiscard]] std::vector<double> table() const {
    const double found = 2 / (window_ + 1) * (columns_ > 1.5 ? kGuessedWide : kGuessedNarrow);
    std::vector<double> all(states());
    for (size_t before = 0; before < before_; ++before) {
      for (size_t after = 0; after < after_; ++after) {
        double& missed = all[state(before, after)];
        missed = none_of(static_cast<double>(after) - gram_ + 1, window_);
        if (before == before_ - 1) continue;
        const double longest = gram_ - 1;
        const double grams = std::min(static_cast<double>(before), longest) + std::min(static_cast<double>(after), longest) - gram_ + 2;
        if (grams > 0) missed *= std::pow(1 - found, grams);
      }
    }
    return all;
  }

  const size_t length_;
  const double columns_;
  const double window_;  // grams
  const double gram_;    // characters
  const size_t before_;  // runs before the last edit that are told apart
  const size_t after_;
};

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

double predicted_clue_recall(std::span<const char32_t> points, const AnchorShape& shape, uint32_t edits) {
  if (column_count(points) < shape.gram) return 0;  // no gram, whatever the mean says
  // More characters find no fewer texts.
  const size_t length = std::min(points.size(), kMaxPredicted);
  edits = static_cast<uint32_t>((uint64_t{edits} * length + points.size() - 1) / points.size());
  points = points.first(length);
  return std::clamp(1 - EditedClue(points, shape).missed(edits), 0.0, 1.0);
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
