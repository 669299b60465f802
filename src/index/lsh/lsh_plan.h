// LshPlan: how many bands of how many rows. Two documents are candidates if all rows of one band agree.
//
// With Jaccard similarity s, a band of r rows agrees with probability s^r, and b bands all disagree with (1 - s^r)^b
// (Indyk and Motwani 1998; Leskovec, Rajaraman, Ullman, chapter 3).
#pragma once

#include <cstdint>

#include "neardup/tools/threshold.h"

namespace neardup {

struct LshPlan {
  uint32_t bands = 0;
  uint32_t rows = 0;

  /// The probability that a pair with Jaccard similarity `s` shares no band.
  [[nodiscard]] double miss_probability(double s) const noexcept;
};

/// The plan with the most rows (the fewest false candidates), and then the fewest bands, whose miss probability at the
/// threshold is at most `miss`. When the lanes cannot give that, one row and as many bands as there are lanes.
/// Fewer bands than the lanes allow cost less memory: a band is 6 bytes a document.
LshPlan plan_lsh(Threshold threshold, Threshold miss, uint32_t lanes);

}  // namespace neardup
