// GramFilter: the clues of kResembles that a text may resemble, by grams of them of which it must have some.
//
// A text at the threshold has at least c of the n grams of a clue (both measures divide by at least n), so of any n - c + k grams it has at
// least k. Those that the fewest clues have are chosen. Of a clue of which a text has k of these, all grams are looked up in a bitmap of
// those of the text; it is a candidate if c may be there. Nothing is missed; of candidates TextMatcher decides. Immutable, shared by
// threads.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "search/clue.h"
#include "search/scan/clue_marks.h"
#include "search/scan/key_table.h"

namespace neardup {

class GramFilter {
 public:
  struct Scratch {
    explicit Scratch(const GramFilter& filter) : seen(filter.grams_.keys()), found(filter.needed_.size()) {}
    ClueMarks seen;               // whether a gram occurred, by the number of its key
    ClueMarks found;              // different grams of a clue
    std::vector<uint64_t> grams;  // a bitmap of the grams of the text
    std::vector<uint32_t> likely;
  };

  explicit GramFilter(std::span<const Clue> clues);

  /// Appends the numbers of the clues that the text with this form may resemble, each once, in no order.
  void find(std::string_view form, const AnchorShape& shape, Scratch& scratch, std::vector<uint32_t>& candidates) const;

 private:
  std::span<const Clue> clues_;
  KeyTable<uint32_t> grams_;      // clues by gram
  std::vector<uint32_t> needed_;  // k, by clue
};

}  // namespace neardup
