// ContainmentRule: when a feature set counts as contained in another one. Compared in integers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "neardup/tools/threshold.h"

namespace neardup {

/// A is contained in B if |A n B| / |A| >= threshold, A has at least `min_features` features, and the Jaccard similarity of the two is at
/// least `min_jaccard`. Not symmetric.
struct ContainmentRule {
  Threshold threshold = Threshold::from_millionths(Threshold::kOne);
  uint32_t min_features = 1;             ///< of A
  std::optional<Threshold> min_jaccard;  ///< nothing: any

  /// The minimum number of common features; above size_a or size_b if A cannot be contained in B.
  [[nodiscard]] uint64_t required(uint32_t size_a, uint32_t size_b) const noexcept {
    const uint64_t contained = threshold.min_partner_size(size_a);
    return min_jaccard ? std::max(contained, min_jaccard->required_overlap(size_a, size_b)) : contained;
  }
  /// True unless the sizes alone rule it out.
  [[nodiscard]] bool possible(uint32_t size_a, uint32_t size_b) const noexcept {
    return size_a >= min_features && required(size_a, size_b) <= std::min(size_a, size_b);
  }
};

}  // namespace neardup
