// LongBlock: one block too long for a Lattice, with a few bytes a character instead of a hundred.
//
// A block is one dynamic program from its right end, and one HMM pass over each run of single characters: jieba adds up doubles over the
// whole block, so a piece on its own could be rounded, and decided, differently. Therefore the block is not cut; only data that no later
// step needs are dropped:
// - a word has at most kMaxWordCharacters characters (jieba_sources.h), so the score of a position depends on so many scores after it,
//   which stand in a ring; of every position only the length of its best word stays, in a byte;
// - words, their nodes and their weights are looked up in the trie when needed, instead of being stored for all positions;
// - a block has characters of one byte and of three, so an offset is found by counting bits.
// The additions and comparisons are those of Lattice in the same order, so both give the same words.
//
// Used for one block only. Linear in its length.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/raw_vector.h"
#include "text/jieba/dictionary/jieba_dictionary.h"

namespace neardup::jieba {

class LongBlock {
 public:
  /// `dictionary` must outlive it.
  explicit LongBlock(const JiebaDictionary& dictionary) : LongBlock(dictionary, dictionary.block_codes()) {}
  /// `code_of`: as for Lattice::read().
  LongBlock(const JiebaDictionary& dictionary, const uint16_t* code_of) : dictionary_(dictionary), code_of_(code_of) {}

  /// Reads the block that begins at `text[at]`; returns where it ends. Sets `valid` to false at malformed UTF-8 before a gap.
  size_t read(std::string_view text, size_t at, bool& valid);
  /// The most probable route, as Lattice::find_route(). Fills single and starts.
  void find_route();

  [[nodiscard]] size_t size() const noexcept { return codes_.size() - kPad; }
  [[nodiscard]] std::string_view bytes(size_t begin, size_t end) const noexcept {
    return text_.substr(offset(begin), offset(end) - offset(begin));
  }
  [[nodiscard]] const uint16_t* codes() const noexcept { return codes_.data(); }  ///< [size()] is 0
  [[nodiscard]] uint32_t offset(size_t k) const noexcept {                        ///< in the text
    const uint64_t before = han_[k / 64] & ((uint64_t{1} << (k % 64)) - 1);
    return offsets_[k / 64] + static_cast<uint32_t>(k % 64 + 2 * static_cast<size_t>(std::popcount(before)));
  }
  /// The node of the two characters at k; 0: the trie has no such pair.
  [[nodiscard]] uint32_t pair_node(size_t k) const noexcept {
    const uint32_t node = dictionary_.trie().first_bases[codes_[k]] + codes_[k + 1];
    return dictionary_.trie().labels[node] == codes_[k + 1] ? node : 0;
  }
  [[nodiscard]] bool pair_is_word(size_t k) const noexcept { return is_word_node(pair_node(k)); }
  /// The lengths of the words of two characters and more at k, ascending. Replaces `out`.
  void longer_words(size_t k, std::vector<uint32_t>& out) const;

  /// Bits by position: the words of the route that are one character, and where tokens begin.
  [[nodiscard]] size_t bit_words() const noexcept { return size() / 64 + 1; }
  [[nodiscard]] const uint64_t* single() const noexcept { return single_.data(); }
  [[nodiscard]] uint64_t* starts() noexcept { return starts_.data(); }
  [[nodiscard]] const uint64_t* starts() const noexcept { return starts_.data(); }

 private:
  static constexpr size_t kPad = 2;  // codes after the last one, 0: a gap

  [[nodiscard]] bool is_word_node(uint32_t node) const noexcept {
    return node != 0 && value_of(dictionary_.trie().slots[node]) >= kFirstWord;
  }
  template <typename Visit>
  void visit_words(size_t k, Visit visit) const;

  const JiebaDictionary& dictionary_;
  const uint16_t* code_of_;
  std::string_view text_;
  RawVector<uint16_t> codes_;
  std::vector<uint64_t> han_;      // bits by position: three bytes, not one
  std::vector<uint32_t> offsets_;  // of every 64th position
  std::vector<uint64_t> single_;
  std::vector<uint64_t> starts_;
};

}  // namespace neardup::jieba
