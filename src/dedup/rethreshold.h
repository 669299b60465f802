// Rethreshold: a run decided again with a higher threshold, from its stored sketches (DedupRun::rethreshold).
//
// The band keys of a run find every pair that a run with the same bands and a higher threshold finds: only the signature filter and the
// verification depend on the threshold. So the result is that of a run from the beginning with the threshold, the bands and the rows.
#pragma once

#include <string>

#include "neardup/options.h"

namespace neardup {

/// The options of such a run. `stored`: those of the run in `directory`. Throws Error{kUsage} if the threshold is lower than that of the
/// run, or the run has no sketches, or the threshold does not decide there.
Options rethresholded(const Options& stored, Threshold threshold, const std::string& directory);

/// True if the sketches of the run with the options `stored` are those that one with `now` makes.
bool has_same_sketches(const Options& stored, const Options& now);

}  // namespace neardup
