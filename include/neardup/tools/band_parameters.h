// How the Python package datasketch chooses the bands of its LSH indexes: the numbers of bands and of rows per band with the smallest
// weighted sum of the areas of false positives and false negatives.
//
//   const neardup::BandParameters best = neardup::datasketch_lsh_parameters({.threshold = 0.8, .lanes = 128});   // 9 bands of 13 rows
//
// An area is an integral over the similarity s of a pair of the probability 1 - (1 - s^rows)^bands that it becomes a candidate (below the
// threshold), or of its complement (above), by the Gauss-Kronrod rule of 21 points with bisection. Ties go to fewer bands, then rows. The
// answers are those of the package unless all areas that count are at the level of rounding, as with a weight of 0.
// neardup's own runs bound the probability of a miss instead (src/index/lsh/lsh_plan.h).
//
// Pure functions. Implemented in src/index/compat/band_parameters.cc.
#pragma once

#include <cstdint>

#include "neardup/stop.h"

namespace neardup {

struct BandParameters {
  uint32_t bands = 0;
  uint32_t rows = 0;
};

struct BandQuestion {
  double threshold = 0.9;  ///< in [0, 1]: of the Jaccard similarity, or of the containment
  uint32_t lanes = 128;    ///< values of a signature; bands x rows is at most this
  double false_positive_weight = 0.5;
  double false_negative_weight = 0.5;
};

/// Of MinHashLSH. Error{kStopped} if `stop` ends the search; the work is about lanes x log(lanes) integrals.
BandParameters datasketch_lsh_parameters(const BandQuestion& question, const StopFunction& stop = {});

/// Of MinHashLSHEnsemble, for containment: at most `max_rows` rows; `size_ratio` is the size of indexed sets divided by that of the query
/// (above 0).
BandParameters datasketch_ensemble_parameters(const BandQuestion& question, uint32_t max_rows, double size_ratio,
                                              const StopFunction& stop = {});

}  // namespace neardup
