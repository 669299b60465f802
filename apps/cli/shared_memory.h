// Shared memory that the MongoDB driver makes for its counters as soon as it is loaded, in every run.
#pragma once

namespace neardup::cli {

/// Takes away its name, so that a run that is killed leaves nothing in /dev/shm, where a later process with the same number would stumble
/// over it and the driver complain. Nobody reads the counters.
void forget_driver_counters() noexcept;

}  // namespace neardup::cli
