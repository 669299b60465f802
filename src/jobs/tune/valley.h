// choose_band(): where the pairs of a corpus part into near-duplicates and texts that are merely alike.
//
// Two signs tell. Versions of a text are near to each other; texts that are merely alike make chains, whose ends are not. So a good
// threshold is one whose groups hold together: the cohesion (sample_pairs.h) says how well. And near-duplicates become fewer towards lower
// similarities, texts that are alike become more: a threshold in the valley between them decides about as few doubtful pairs as possible.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "jobs/tune/sample_pairs.h"

namespace neardup {

/// Numbers of pairs by band, the lowest first.
using PairDensities = std::array<uint64_t, SamplePairs::kBands>;
/// SamplePairs::cohesion() by band.
using PairCohesion = std::array<double, SamplePairs::kBands>;

struct ChosenBand {
  enum Sign : uint8_t {
    kCohesion,  ///< groups hold together better than with the other bands, or with most of them
    kValley,    ///< the fewest pairs, where groups hold together as well as anywhere
  };
  size_t band = 0;
  Sign sign = kCohesion;
};

/// Of the bands from `first` to `last`, those whose groups hold together best; among these the valley, or the lowest if there is none.
/// Cohesion counts only if it reaches a half somewhere.
/// Nothing if there are too few pairs to tell, or if all bands are as good and there is no valley.
std::optional<ChosenBand> choose_band(const PairDensities& pairs, const PairCohesion& cohesion, size_t first, size_t last) noexcept;

/// The lower end of the lowest band from `first` to `last` that belongs to the valley: the band with the fewest pairs, and those below it
/// with at most a quarter more. Nothing if there are too few pairs to tell, or no valley: no higher band has clearly more pairs.
std::optional<size_t> find_valley(const PairDensities& pairs, size_t first, size_t last) noexcept;

}  // namespace neardup
