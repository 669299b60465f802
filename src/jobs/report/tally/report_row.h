// ReportRow: one document of a finished run, as the tallies of the report see it: numbers only, no names and no text.
#pragma once

#include <cstdint>

#include "neardup/document.h"

namespace neardup {

struct ReportRow {
  uint64_t number = 0;  ///< position among the rows: ascending, from 0
  DocumentId where{};
  bool removed = false;
  // Of removed documents only:
  bool exact_copy = false;
  bool verified = false;    ///< a near-duplicate that the run verified
  uint32_t similarity = 0;  ///< to the keeper, in millionths; of fingerprints judged by distance: the share of equal bits
  DocumentId keeper{};
  // Of all:
  uint64_t cluster_size = 1;  ///< documents of its cluster, the keeper included

  [[nodiscard]] bool near() const noexcept { return removed && !exact_copy; }
};

}  // namespace neardup
