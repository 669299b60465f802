// check_slices(): which options leave room for slices (--batch).
#pragma once

#include "neardup/options.h"

namespace neardup {

/// Throws Error{kUsage} when the options decide about all documents at once, and Options::batch is given.
void check_slices(const Options& options);

}  // namespace neardup
