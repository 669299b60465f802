// answer_question(): one question to one view of an index.
#pragma once

#include <string_view>
#include <vector>

#include "neardup/clue_index.h"
#include "search/indexed_texts.h"
#include "search/question.h"
#include "search/text_matcher.h"

namespace neardup {

/// As ClueIndex::search(). `workers` grows to the number of threads.
ClueAnswer answer_question(const SearchView& view, const ClueMaker& maker, std::string_view clue, const ClueSearch& options,
                           std::vector<SearchWorker>& workers);

}  // namespace neardup
