// Checks of what a stage is given.
#pragma once

#include <cstdint>

#include "neardup/tools/stages.h"

namespace neardup {

/// Throws Error{kUsage} for 0 parts or too many.
void check_parts(uint32_t parts);
/// The same number. Throws Error{kUsage} for too little memory.
uint64_t checked_memory(uint64_t memory);
const StageSpace& checked_space(const StageSpace& space);

}  // namespace neardup
