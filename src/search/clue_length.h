// How many edits of a clue an index survives for certain, and what it finds beyond that on average.
#pragma once

#include <cstdint>
#include <span>

#include "index/anchors/anchor_shape.h"

namespace neardup {

uint32_t column_count(std::span<const char32_t> points) noexcept;

/// The largest number of edits that always leave a whole window of the clue untouched; 0 also if it has no window. By the pigeonhole
/// principle over windows: the smallest number of characters that hit all windows is found greedily, and one less leaves a window.
uint32_t guaranteed_edit_count(std::span<const char32_t> points, const AnchorShape& shape) noexcept;

/// The probability that a text has an anchor among the grams of the clue, or one of them with a single edit that is guessed, as
/// ClueAnswer::predicted_recall says. `edits` of the characters of the clue, at random, are edited.
double predicted_clue_recall(std::span<const char32_t> points, const AnchorShape& shape, uint32_t edits);

/// The share of grams that are anchors.
double anchor_density(std::span<const char32_t> points, const AnchorShape& shape) noexcept;

/// A lower bound of common anchors for the count filter of kResembles: the largest that a text with `common` common grams reaches with a
/// probability of at least 1 - 1/1000, at least 1; and that probability. Anchors are taken for independent of one another.
struct AnchorBound {
  uint32_t anchors = 1;
  double recall = 1;
};
AnchorBound common_anchor_bound(uint64_t common, double density);

}  // namespace neardup
