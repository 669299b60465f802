// The contents of a ClueScratch.
#pragma once

#include <vector>

#include "neardup/clue_index.h"
#include "search/text_matcher.h"

namespace neardup {

struct ClueScratch::Impl {
  std::vector<SearchWorker> workers{1};  ///< at least one
};

}  // namespace neardup
