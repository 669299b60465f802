// look_up(): the lists of some grams of a clue in all segments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/anchors/anchor_image.h"
#include "search/search_run.h"

namespace neardup {

/// What a gram that is asked is: one that every text with the clue has, one of the clue, one that a text may have instead (near_grams.h).
enum class GramKind { kCertain, kPossible, kGuess };

/// A gram, and where it is found.
struct AskedGram {
  GramKind kind = GramKind::kPossible;
  uint64_t hash = 0;
  uint64_t postings = 0;                      ///< of all segments
  std::vector<ClueAnchor> places = {};        ///< where the clue has it; at least one
  std::vector<AnchorImage::List> lists = {};  ///< by part of the view

  /// True if a posting with this context may be one of these places in an unchanged clue.
  [[nodiscard]] bool fits(uint16_t context) const noexcept {
    for (const ClueAnchor& place : places) {
      if (((context ^ place.context) & place.known) == 0) return true;
    }
    return false;
  }
};

/// At most `count` of the anchors, evenly spread over the clue.
std::vector<ClueAnchor> spread(const std::vector<ClueAnchor>& anchors, size_t count);

/// Looks up every gram once and adds to the trace, which lists all but guesses. The rarest first, then by hash. Grams without postings are
/// included, unless they are guesses.
std::vector<AskedGram> look_up(SearchRun& run, const std::vector<ClueAnchor>& anchors, GramKind kind);

}  // namespace neardup
