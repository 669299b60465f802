// find_valley(): where the pairs of a corpus part into near-duplicates and texts that are merely alike.
//
// Near-duplicates become fewer towards lower similarities, texts that are alike become more. Between them lie the fewest pairs: a threshold
// there decides about as few doubtful pairs as possible.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "jobs/tune/sample_pairs.h"

namespace neardup {

/// Numbers of pairs by band, the lowest first.
using PairDensities = std::array<uint64_t, SamplePairs::kBands>;

/// The lower end of the lowest band from `first` to `last` that belongs to the valley: the band with the fewest pairs, and those below it
/// with at most a quarter more. Nothing if there are too few pairs to tell, or no valley: no higher band has clearly more pairs.
std::optional<size_t> find_valley(const PairDensities& pairs, size_t first, size_t last) noexcept;

}  // namespace neardup
