// GramEvidence: which of the grams that are asked each text has, and how much that says for the text. Decides which texts are read first.
//
// A gram speaks for a text with about as many bits as it is rare among the texts, a guessed gram (near_grams.h) with some less, and each
// cell of its neighbourhood that agrees with the clue with the bits of the cell: a text that has a gram by chance agrees in hardly any.
// Removed texts count for nothing, so that scores are the same before and after a merge.
#pragma once

#include <cstdint>
#include <vector>

#include "search/find/asked_grams.h"
#include "search/find/scored_texts.h"

namespace neardup {

class GramEvidence {
 public:
  /// `unchanged`: only postings whose whole neighbourhood agrees with the clue count. All must outlive it.
  GramEvidence(const SearchView& view, const std::vector<AskedGram>& asked, bool unchanged);

  /// Reads the lists of all grams in all segments. Once.
  void read();
  /// Dismissed postings: texts, once for each gram.
  [[nodiscard]] uint64_t settled() const noexcept { return settled_; }
  /// The texts that are left, by segment and number. Once, after read().
  [[nodiscard]] std::vector<ScoredText> take_texts();

 private:
  struct Found {
    uint32_t text;
    uint32_t gram;  // of asked_
    int32_t cells;  // bits for the text from the neighbourhood
  };

  void read_list(uint32_t part, uint32_t gram);

  const SearchView& view_;
  const std::vector<AskedGram>& asked_;
  const bool unchanged_;
  uint64_t settled_ = 0;
  std::vector<std::vector<Found>> found_;  // by segment
  std::vector<uint64_t> texts_with_;       // by gram
};

}  // namespace neardup
