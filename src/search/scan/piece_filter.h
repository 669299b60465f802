// PieceFilter: the clues of kContains that a text may contain, by pieces of them that it must have as they are.
//
// A passage with at most e edits has one of any e + 1 pieces of the clue unchanged, so a clue has e + 1 pieces, and without edits it is
// one. Of each piece a window of at most 8 bytes is in a table, in which all places of the text are looked up. Where a window is found, the
// piece is compared. With edits, its sibling follows, and then the neighbourhood is aligned: pieces are the leaves of a binary tree, in
// which one of two siblings has fewer edits than pieces if both together have, down to a piece without edits; so this piece, and its
// sibling with it, has fewer edits than pieces (Navarro, Baeza-Yates 1999). Clues with pieces of less than kMinPieceBytes are candidates in
// every text. Nothing is missed; of candidates TextMatcher decides. Immutable, shared by threads.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "search/clue.h"
#include "search/scan/clue_marks.h"
#include "search/scan/key_table.h"

namespace neardup {

class PieceFilter {
 public:
  struct Candidate {
    uint32_t clue = 0;
    size_t from = 0;  ///< of a clue without edits: the byte of the form where it begins for the first time
  };
  struct Scratch {
    explicit Scratch(size_t clues) : spent(clues) {}
    ClueMarks spent;  // code points aligned for a clue; kDecided: it is a candidate
    std::vector<char32_t> points;
    Aligner::Scratch align;
  };

  /// The clues must outlive it.
  explicit PieceFilter(std::span<const Clue> clues);

  /// Appends the clues that the text with this form may contain, each once, in no order.
  void find(std::string_view form, Scratch& scratch, std::vector<Candidate>& candidates) const;

 private:
  static constexpr size_t kWindow = sizeof(uint64_t);  // bytes of a key
  static constexpr size_t kMinPieceBytes = 4;          // of clues with edits
  static constexpr uint32_t kDecided = UINT32_MAX;

  struct Piece {
    uint32_t clue = 0;
    uint32_t begin = 0;  // bytes of the clue's form
    uint32_t end = 0;
    uint32_t point = 0;  // code points of the clue's form
    uint32_t end_point = 0;
    uint32_t sibling = 0;  // the other end of the sibling, a code point; of a clue without edits there is none
    uint32_t sibling_edits = 0;
  };
  struct Window {
    uint32_t piece = 0;
    uint32_t offset = 0;  // in the form of the clue
  };

  void add_pieces(uint32_t clue);
  static void find_siblings(std::span<Piece> pieces);
  void find_windows(size_t length, std::string_view form, Scratch& scratch, std::vector<Candidate>& candidates) const;
  void look_at(std::string_view form, size_t place, const Window& window, Scratch& scratch, std::vector<Candidate>& candidates) const;
  [[nodiscard]] bool close_sibling(std::string_view form, size_t place, const Piece& piece, Scratch& scratch) const;
  [[nodiscard]] bool close_passage(std::string_view form, size_t place, const Piece& piece, Scratch& scratch, uint32_t& spent) const;

  std::span<const Clue> clues_;
  std::vector<Piece> pieces_;
  std::vector<uint32_t> unfiltered_;                     // clues
  std::array<KeyTable<Window>, kWindow + 1> by_length_;  // of the windows
};

}  // namespace neardup
