// The bytes of StageCounts, and the sum of many.
#pragma once

#include <string>
#include <string_view>

#include "neardup/tools/stages.h"

namespace neardup {

/// Adds a reject: counts it, and lists it if it is among the first.
void add_reject(StageReject reject, StageCounts& counts);
void add_counts(const StageCounts& more, StageCounts& counts);

std::string save_counts(const StageCounts& counts);
/// Throws Error{kInput}.
StageCounts load_counts(std::string_view bytes);

}  // namespace neardup
