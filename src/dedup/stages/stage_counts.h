// The bytes of StageCounts, and the sum of many.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dedup/stages/stage_settings.h"
#include "neardup/tools/stages.h"

namespace neardup {

/// Adds a reject: counts it, and lists it if it is among the first.
void add_reject(StageReject reject, StageCounts& counts);
void add_counts(const StageCounts& more, StageCounts& counts);

std::string save_counts(const StageCounts& counts);
/// Throws Error{kInput}.
StageCounts load_counts(std::string_view bytes);
/// The sum of blobs of kCounts. Throws Error{kInput}.
StageCounts sum_counts(const StageSettings& settings, std::span<const std::string_view> blobs);

}  // namespace neardup
