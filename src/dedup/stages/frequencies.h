// The stages from texts to a table of document frequencies.
#pragma once

#include <memory>

#include "dedup/stages/stage_settings.h"
#include "neardup/tools/frequency_stages.h"

namespace neardup {

// `settings`: of StageSettings::to_count().
std::unique_ptr<CountStage> make_count(const StageSettings& settings, uint32_t parts, const StageSpace& space);
std::unique_ptr<ReduceStage> make_sum(const StageSettings& settings, const StageSpace& space);
std::unique_ptr<FrequencyTableStage> make_frequency_table(const StageSettings& settings, const StageSpace& space);

}  // namespace neardup
