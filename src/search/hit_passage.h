// describe_hit(): where and how a text matches, for people and programs.
#pragma once

#include <string_view>

#include "neardup/clue_index.h"
#include "search/search_run.h"

namespace neardup {

/// Fills the hit; reads the text once more. Uses the memory of `worker`.
void describe_hit(const SearchRun& run, const FoundText& found, SearchWorker& worker, ClueHit& hit);

/// Sets form and places of the worker to those of a text.
void place_form(const ClueMaker& maker, std::string_view text, SearchWorker& worker);
/// Fills places, passage, occurrences and differences of a hit of this clue in the text of the last place_form().
void describe_passage(const Clue& clue, std::string_view text, SearchWorker& worker, ClueHit& hit);

}  // namespace neardup
