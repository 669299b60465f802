// search_view(): a view of a clue store, as questions see it.
#pragma once

#include "search/indexed_texts.h"
#include "store/clue/clue_store.h"

namespace neardup {

/// Shares the segments.
SearchView search_view(const ClueStore::View& view);

}  // namespace neardup
