// common_sequence(): a long common subsequence of two sequences of any length, in bounded time.
//
// A gap whose shortest edit script is cheap to find is solved exactly (EditSearch). Another one is split at runs of rare windows
// (anchor_runs()), from long windows to single elements, and its parts are solved the same way. What resists both remains a difference as a
// whole. Short pairs are always solved exactly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "text/align/common_runs.h"

namespace neardup {

struct CommonSequence {
  std::vector<CommonRun> runs;  ///< ascending in both sequences; neighbouring runs are joined
  bool coarse = false;          ///< a gap was not solved
};

/// Sequences have fewer than 2^31 elements.
CommonSequence common_sequence(std::span<const uint32_t> a, std::span<const uint32_t> b);

}  // namespace neardup
