// make_collapse(): the stage after the first exchange: exact copies become one, and documents are checked for equal ids.
#pragma once

#include <memory>

#include "dedup/stages/stage_settings.h"

namespace neardup {

/// Takes kDocuments, kShortDocuments and kIds; gives kCopies, kShorts and kKeys.
std::unique_ptr<ReduceStage> make_collapse(const StageSettings& settings, uint32_t parts, const StageSpace& space);

}  // namespace neardup
