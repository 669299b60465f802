// The stages that decide: groups of candidates that fit the memory at once; larger ones block by block.
//
// The first rows of a large group, in rank order, are its block. It is decided like a group; later rows are compared with what it keeps
// (make_match), and those that match none make the next block. That is the scan rule: whatever keeps a row is ranked before it, and blocks
// come in rank order.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dedup/stages/stage_settings.h"

namespace neardup {

std::unique_ptr<DecideStage> make_decide(const StageSettings& settings, uint64_t memory);
std::unique_ptr<MatchStage> make_match(const StageSettings& settings, std::vector<CandidateRow> kept, uint64_t memory);

}  // namespace neardup
