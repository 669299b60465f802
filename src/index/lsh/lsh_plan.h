// LshPlan: the number of bands and of rows per band. Two documents are candidates if all rows of one band agree.
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

/// The plan with the most rows (the fewest false candidates), and then the fewest bands, whose miss probability at the threshold is at most
/// `miss`. If the lanes do not suffice, one row and one band per lane. Fewer bands than the lanes allow save memory: a band takes 6 bytes
/// per document.
LshPlan plan_lsh(Threshold threshold, Threshold miss, uint32_t lanes);

}  // namespace neardup
