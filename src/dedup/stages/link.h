// make_link(): the stage after the second exchange: documents with equal keys become connected.
#pragma once

#include <memory>

#include "dedup/stages/stage_settings.h"

namespace neardup {

/// Takes kKeys; gives kEdges, and kCodes if payloads are made of them. Bands: each document is connected with the first one of its bucket.
/// Blocks of fingerprints: in each bucket, all documents that chains of near fingerprints connect are connected with the first of them.
/// So there are fewer edges than records.
std::unique_ptr<ReduceStage> make_link(const StageSettings& settings, const StageSpace& space);

}  // namespace neardup
