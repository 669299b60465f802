// The memory of this process that is in use now, as opposed to its peak (neardup/tools/machine.h).
#pragma once

#include <cstdint>

namespace neardup::server {

/// Resident memory of this process in bytes, mapped files included; 0 if the system does not say.
uint64_t resident_bytes();

}  // namespace neardup::server
