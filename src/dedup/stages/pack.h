// make_pack(): the stage from texts to the records of the first exchange.
#pragma once

#include <memory>

#include "dedup/stages/stage_settings.h"

namespace neardup {

std::unique_ptr<PackStage> make_pack(const StageSettings& settings, uint32_t parts, bool narrow);

}  // namespace neardup
