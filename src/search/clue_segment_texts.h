// search_view(): a view of a clue store, as questions see it. StoredTexts: whether its segments have the texts, or say where they are.
#pragma once

#include "neardup/clue_index.h"
#include "search/indexed_texts.h"
#include "store/clue/clue_store.h"

namespace neardup {

struct StoredTexts {
  bool refer = false;
  OpenReferredTexts referred = {};  ///< if they refer; without it, reading throws Error{kUsage}
};

/// Shares the segments. `stored` must outlive the view.
SearchView search_view(const ClueStore::View& view, const StoredTexts& stored);

}  // namespace neardup
