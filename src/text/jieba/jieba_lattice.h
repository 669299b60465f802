// Lattice: the possible words of a run of blocks, and the most probable route through them.
//
// A text is processed in batches of whole blocks (jieba cuts between blocks in any case), as a line of positions, one per character; "\r\n"
// is one position. The stages are loops over all positions of a batch instead of one loop per block: without branches that depend on the
// text, many steps into the trie are in flight at once, and their memory latencies overlap.
//
// Per thread; the buffers are kept. A block of more than longest_block characters is for LongBlock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "text/jieba/dictionary/jieba_dictionary.h"

namespace neardup::jieba {

/// A word of three characters or more.
struct Edge {
  uint32_t at;
  uint32_t length;
  double weight;
};

class Lattice {
 public:
  /// 64 Ki characters take some megabytes, and no real text has a block of that length.
  static constexpr size_t kLongestBlock = size_t{1} << 16;

  /// `longest_block`: of a batch, at least 1; for tests.
  explicit Lattice(size_t longest_block = kLongestBlock) : longest_block_(longest_block) {}

  /// Reads a batch that begins at `text[at]`; returns where the next one begins. Sets `valid` to false at malformed UTF-8; then the batch
  /// must be discarded. With `whole_gaps`, no batch ends inside a gap. Returns `at` if the block there is longer than a batch, or, with
  /// `whole_gaps`, the gap.
  /// `code_of`: JiebaDictionary::block_codes(), or such a table with fewer characters in blocks.
  size_t read(const uint16_t* code_of, std::string_view text, size_t at, bool whole_gaps, bool& valid);
  /// Finds the words at all positions.
  void find_words(const JiebaDictionary& dictionary);
  /// The most probable route, right to left, in the order of additions of jieba; the longer word wins ties. Fills lengths, single and
  /// starts.
  void find_route();

  [[nodiscard]] size_t size() const noexcept { return size_; }
  [[nodiscard]] std::string_view bytes(size_t begin, size_t end) const noexcept {
    return text_.substr(offsets_[begin], offsets_[end] - offsets_[begin]);
  }
  [[nodiscard]] const uint16_t* codes() const noexcept { return codes_.data(); }      ///< 0: of a gap; [size()] is 0
  [[nodiscard]] const uint32_t* offsets() const noexcept { return offsets_.data(); }  ///< in the text; [size()] is the end
  [[nodiscard]] uint32_t offset(size_t k) const noexcept { return offsets_[k]; }
  [[nodiscard]] const uint32_t* pair_nodes() const noexcept { return pair_nodes_.data(); }  ///< 0: the trie has no such pair
  [[nodiscard]] const std::vector<Edge>& edges() const noexcept { return edges_; }          ///< by position, then by length
  [[nodiscard]] uint32_t pair_node(size_t k) const noexcept { return pair_nodes_[k]; }
  [[nodiscard]] bool pair_is_word(size_t k) const noexcept { return pairs_[k] != -std::numeric_limits<double>::infinity(); }
  [[nodiscard]] const uint32_t* lengths() const noexcept { return lengths_.data(); }
  /// Bits by position: the words of the route that are one character of a block, and where tokens begin.
  [[nodiscard]] size_t bit_words() const noexcept { return size_ / 64 + 1; }
  [[nodiscard]] const uint64_t* single() const noexcept { return single_.data(); }
  [[nodiscard]] uint64_t* starts() noexcept { return starts_.data(); }
  [[nodiscard]] const uint64_t* starts() const noexcept { return starts_.data(); }

 private:
  void make_room(size_t positions);
  [[nodiscard]] size_t last_cut(size_t positions, bool whole_gaps) const;
  [[nodiscard]] size_t find_middle() const;
  void mark_starts(size_t middle);

  size_t longest_block_;
  std::string_view text_;
  size_t size_ = 0;
  std::vector<uint16_t> codes_;
  std::vector<uint32_t> offsets_;
  std::vector<double> alone_;  ///< weights of the characters as words
  std::vector<double> pairs_;
  std::vector<uint32_t> pair_nodes_;
  std::vector<uint32_t> prefixes_;
  std::vector<uint32_t> prefix_nodes_;
  std::vector<Edge> edges_;
  std::vector<double> scores_;
  std::vector<uint32_t> lengths_;
  std::vector<uint64_t> single_;
  std::vector<uint64_t> starts_;
};

/// A text batch by batch of a Lattice, with the long blocks in between. Calls on_batch() after each read of the lattice, and on_long(at,
/// valid) for a block, or with `whole_gaps` a gap, that is too long for it; on_long returns where that ends, and sets `valid` to false at
/// malformed UTF-8. Returns false at malformed UTF-8: then the results of the calls must be discarded.
template <typename OnBatch, typename OnLong>
bool for_each_batch(const uint16_t* code_of, std::string_view text, Lattice& lattice, bool whole_gaps, OnBatch on_batch, OnLong on_long) {
  for (size_t at = 0; at < text.size();) {
    bool valid = true;
    const size_t next = lattice.read(code_of, text, at, whole_gaps, valid);
    const bool too_long = next == at && valid;
    at = too_long ? on_long(at, valid) : next;
    if (!valid) return false;
    if (!too_long) on_batch();
  }
  return true;
}

}  // namespace neardup::jieba
