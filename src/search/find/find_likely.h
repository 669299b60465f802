// find_close(): the texts with a passage close to a clue, or with a clue below the guaranteed length. find_similar(): the texts whose grams
// resemble those of a clue.
//
// Both ask grams of the clue, count for each text how many of them it has among its anchors, and read the texts that have most. Questions
// that an index answers exactly ask the anchors that every matching text has one of, and read all texts that have one.
#pragma once

#include "search/search_run.h"

namespace neardup {

/// Requires a question of kContains.
void find_close(SearchRun& run);
/// Requires a question of kResembles.
void find_similar(SearchRun& run);

}  // namespace neardup
