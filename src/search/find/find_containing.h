// find_containing(): the texts that contain a clue of at least the guaranteed length, exactly.
//
// Every text with the clue has all its certain anchors, each with the neighbourhood that the clue shows. The lists of the rarest are
// intersected, in the order of the ids over all segments; what remains is read. Reading ends when one hit more than the limit is known.
#pragma once

#include "search/search_run.h"

namespace neardup {

/// Requires a question of kContains that is exact and allows no edits.
void find_containing(SearchRun& run);

}  // namespace neardup
