// MemoryPlan: how the memory budget of a run is divided. The parts are upper bounds; a run uses only what it needs.
#pragma once

#include <cstdint>

#include "neardup/options.h"

namespace neardup {

struct MemoryPlan {
  /// Throws Error{kUsage} for a budget that is too small.
  explicit MemoryPlan(const Options& options);
  uint64_t total;
  uint64_t band_keys;    ///< beyond: spilled
  uint64_t filter_rows;  ///< beyond: spilled
  uint64_t grouping;     ///< beyond: several ranges of keys
  uint64_t features;     ///< beyond: spilled
  uint64_t join_index;   ///< beyond: one part of the documents after the other, for containment
  uint64_t sorting;      ///< beyond: sorted runs on disk
};

}  // namespace neardup
