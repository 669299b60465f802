// ScoredTexts: candidates with a score, and which of them are read.
#pragma once

#include <cstdint>
#include <vector>

#include "search/search_run.h"

namespace neardup {

struct ScoredText {
  uint32_t part = 0;
  uint32_t text = 0;
  uint32_t score = 0;  ///< larger: more promising
};

/// A text with a score, for append_scored().
constexpr uint64_t scored_entry(uint32_t text, uint32_t score) noexcept {
  return uint64_t{text} << 32 | score;
}
/// Adds up the scores of equal texts, up to the largest number: one entry for each text, ascending.
void combine_scored(std::vector<uint64_t>& entries);
/// The same for the entries of one part, and appends the texts. Leaves `entries` empty.
void append_scored(uint32_t part, std::vector<uint64_t>& entries, std::vector<ScoredText>& out);

/// Leaves at most `count` texts: those with the highest scores, of equal ones those with the smallest ids. Returns whether there were more.
bool keep_best(const SearchView& view, uint64_t count, std::vector<ScoredText>& texts);

/// Reads all of them, and adds to the hits those that match.
void verify_scored(SearchRun& run, std::vector<ScoredText> texts);
/// Reads them in the order of their ids until more hits than the limit are known.
void verify_by_id(SearchRun& run, const std::vector<ScoredText>& texts);

}  // namespace neardup
