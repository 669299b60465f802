// Anchors: the few grams of a form that represent it in an index, chosen so that equal runs have equal anchors (minimizers, or winnowing:
// Schleimer, Wilkerson, Aiken 2003; Roberts et al. 2004).
//
// A gram is the shortest run of whole code points with at least `gram` columns that begins at a code point. A window is the shortest run
// of whole code points with at least `window` columns; its grams are those that begin in it, and it is whole if all of them lie in the
// form. The anchors of a form are the grams with the smallest hash of each whole window; of equal ones the last.
//
// Why nothing is missed: if a clue has a whole window, every form that contains the clue has the same window with the same grams, hence the
// same anchor. Short forms need more:
//   - with fewer than kShortGrams grams: every gram is an anchor;
//   - with as many, but without a whole window: the smallest gram of all is;
//   - shorter than a gram, but not empty: one anchor, the hash of the whole form and a mark, by which equal short forms meet.
//
// The context of an anchor is hashed from the characters around the gram, in four cells. Grams that agree by chance, or because the words
// are common, mostly have other contexts than those in the clue, so most candidates are settled without reading texts.
//
// Pure, total; the forms must be well-formed UTF-8 below 2^32 bytes. Nothing is allocated once the scratch has grown,
// except that the memory of a form above a mebibyte, 20 times its bytes, is returned by the next one below.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/raw_vector.h"
#include "index/anchors/anchor_shape.h"

namespace neardup {

/// A hash is the top bits of XXH3-64 of the gram's bytes.
inline constexpr uint32_t kAnchorHashBits = 36;
/// Cell 0 in the lowest bits: the run of whole code points with at least kContextColumns columns that ends where the gram begins; cell 1:
/// the one before that; cell 2: the one that begins where the gram ends; cell 3: the one after that. A cell is the top bits of XXH3-64 of
/// its bytes; at an end of the form, of those that there are.
inline constexpr uint32_t kContextCells = 4;
inline constexpr uint32_t kContextCellBits = 3;
inline constexpr uint32_t kContextBits = kContextCells * kContextCellBits;
inline constexpr uint32_t kContextColumns = 4;
/// Forms with fewer grams than this have all of them as anchors.
inline constexpr uint32_t kShortGrams = 50;

struct Anchor {
  uint64_t hash;
  uint32_t begin;  ///< byte of the form
  uint16_t context;
  friend bool operator==(const Anchor&, const Anchor&) = default;
};

/// A gram of a clue. It occurs at a place with the context `other` only if ((context ^ other) & known) == 0.
struct ClueAnchor {
  uint64_t hash;
  uint32_t begin;  ///< byte of the clue's form
  uint16_t context;
  uint16_t known;  ///< the bits of the cells that lie wholly in the clue
  friend bool operator==(const ClueAnchor&, const ClueAnchor&) = default;
};

struct AnchorScratch {
  RawVector<uint32_t> begins;   ///< by code point, and the end
  RawVector<uint32_t> columns;  ///< before each code point, and all
  RawVector<uint32_t> ends;     ///< by gram: its last code point plus 1
  RawVector<uint64_t> hashes;   ///< by gram
};

/// The anchors of a text with this form, ascending by begin.
void text_anchors(std::string_view form, const AnchorShape& shape, AnchorScratch& scratch, std::vector<Anchor>& out);
/// The anchors that every text has whose form contains `form`, ascending by begin: those of the whole windows. Empty if there is none, as
/// below min_run_latin().
void certain_anchors(std::string_view form, const AnchorShape& shape, AnchorScratch& scratch, std::vector<ClueAnchor>& out);
/// Every gram of a clue, ascending by begin, for clues with edits or without a whole window. Of a clue shorter than a gram: its one anchor
/// as a text, which finds the texts that equal it.
void clue_grams(std::string_view form, const AnchorShape& shape, AnchorScratch& scratch, std::vector<ClueAnchor>& out);

}  // namespace neardup
