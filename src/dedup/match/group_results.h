// What solving groups of candidates returns: removals, and what it counted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "neardup/tools/threshold.h"

namespace neardup {

/// A removed document and its keeper, as documents (not ordinals).
struct Removal {
  uint32_t document = 0;
  uint32_t keeper = 0;
  Overlap overlap;           ///< of the two; when verify is off: common = shared bands, sizes = number of bands
  bool connected = false;    ///< Cluster::kComponents: they are connected, but do not match
  uint32_t index_match = 0;  ///< not 0: the keeper is an entry of an index, number `index_match` of the matches in indexes, from 1
};

struct GroupStats {
  uint64_t verifications = 0;
  uint64_t capped_documents = 0;
  /// Kept documents with a compared document just below the threshold (kJustBelow); for the scan rule under Judge::kJaccard and
  /// Judge::kContainment. Pairs that were not candidates do not count.
  uint64_t just_below = 0;
};

inline void sort_by_document(std::vector<Removal>& removals) {
  std::sort(removals.begin(), removals.end(), [](const Removal& a, const Removal& b) { return a.document < b.document; });
}

}  // namespace neardup
