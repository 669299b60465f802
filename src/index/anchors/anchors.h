// Anchors: the few grams of a form that represent it in an index, chosen so that equal runs have equal anchors (minimizers, or winnowing:
// Schleimer, Wilkerson, Aiken 2003; Roberts et al. 2004).
//
// A gram is the shortest run of whole code points with at least `gram` columns that begins at a code point. A window is the shortest run
// of whole code points with at least `window` columns; its grams are those that begin in it, and it is whole if all of them lie in the
// form. The anchors of a form are the first grams of each whole window in the order below; of equal ones the last.
//
// The order is that of open-closed minimizers (Groot Koerkamp, Liu, Pibiri 2025), which spreads anchors more evenly than a random order,
// so that there are fewer of them. Among the sub-grams of a gram, runs of kSubColumns columns, one is the smallest by
// a hash, of equal ones the first. A gram in which that is the middle one (of two, the left) comes first; then those in which it is the
// first or the last; then all others; grams of a kind by their own hash.
//
// Why nothing is missed: the order depends on grams alone. If a clue has a whole window, every form that contains the clue has the same
// window with the same grams, hence the same anchor. Short forms have more anchors, for clues with edits and for texts that resemble them:
//   - with fewer than kShortColumns columns: also the anchors for windows of an eighth of their columns, at least one;
//   - with grams, but without a whole window: the first gram of all;
//   - shorter than a gram, but not empty: one anchor, the hash of the whole form and a mark, by which equal short forms meet.
//
// The context of an anchor is hashed from the characters around the gram, in four cells. Grams that agree by chance, or because the words
// are common, mostly have other contexts than those in the clue, so most candidates are settled without reading texts.
//
// Pure, total; the forms must be well-formed UTF-8 below 2^32 bytes. Once the scratch has grown, nothing is allocated but a
// little for the anchors of a short form; the memory of a form above a mebibyte, 16 times its bytes, is returned by the next one below.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/raw_vector.h"
#include "index/anchors/anchor_shape.h"

namespace neardup {

/// A hash is the top bits of XXH3-64 of the gram's bytes.
inline constexpr uint32_t kAnchorHashBits = 32;
/// Cell 0 in the lowest bits: the run of whole code points with at least kContextColumns columns that ends where the gram begins; cell 1:
/// the one before that; cell 2: the one that begins where the gram ends; cell 3: the one after that. A cell is the top bits of XXH3-64 of
/// its bytes; at an end of the form, of those that there are.
inline constexpr uint32_t kContextCells = 4;
inline constexpr uint32_t kContextCellBits = 3;
inline constexpr uint32_t kContextBits = kContextCells * kContextCellBits;
inline constexpr uint32_t kContextColumns = 4;
/// A form with fewer columns than this has anchors also for smaller windows, so that it has about sixteen, as far as it has grams.
inline constexpr uint32_t kShortColumns = 144;
inline constexpr uint32_t kShortWindows = 8;
/// The low bits of AnchorScratch::orders, of the hash of the gram, which the hash of an anchor does not have: so anchors have hashes as
/// evenly spread as all grams.
inline constexpr uint32_t kOrderHashBits = 30;
/// Of the sub-grams that say which grams come first.
inline constexpr uint32_t kSubColumns = 2;

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
  RawVector<int32_t> subs;      ///< by code point: the hash of its sub-gram
  RawVector<uint32_t> orders;   ///< by gram: the smaller, the sooner it is an anchor; below 1 << kOrderHashBits if it comes first
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
