// describe_hit(): where and how a text matches, for people and programs.
#pragma once

#include "neardup/clue_index.h"
#include "search/search_run.h"

namespace neardup {

/// Fills the hit; reads the text once more. Uses the memory of `worker`.
void describe_hit(const SearchRun& run, const FoundText& found, SearchWorker& worker, ClueHit& hit);

}  // namespace neardup
