// WordCounter: how often each word of one text occurs, in the order of first occurrences.
//
// All occurrences are collected first and counted together, because then the size of the table is known, and the steps of many words
// overlap: whether a word is new is unpredictable. A word in the trie is identified by its node; any other by a hash of its bytes, and the
// bytes are compared. Per thread; the buffers are kept; linear in the occurrences.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/raw_vector.h"
#include "text/jieba/jieba_lattice.h"
#include "text/jieba/jieba_long_block.h"

namespace neardup::jieba {

struct CountedWord {
  uint32_t key;  ///< a node of the trie, or a hash with the highest bit set
  uint32_t begin;
  uint32_t end;  ///< bytes of the text
  uint32_t count;
};

constexpr bool is_node(uint32_t key) noexcept {
  return key >> 31 == 0;
}

class WordCounter {
 public:
  void begin_text() noexcept { occurrences_ = 0; }
  /// Collects the words of two characters and more out of a batch of the text whose starts() are final.
  void collect(const JiebaDictionary& dictionary, std::string_view text, Lattice& lattice);
  void collect(const JiebaDictionary& dictionary, std::string_view text, const LongBlock& block);
  /// Collects one word; `node` is that of JiebaDictionary::find().
  void add(uint32_t node, std::string_view text, uint32_t begin, uint32_t end);
  /// Counts what was collected since begin_text(). Call it once. Valid until the next text.
  std::span<const CountedWord> count(std::string_view text);

 private:
  struct Cell {
    uint32_t key;  ///< 0: empty
    uint32_t word;
  };

  // A word of three characters and more: which one of the batch, and its positions.
  struct LongWord {
    uint32_t number;
    uint32_t begin;
    uint32_t end;
  };

  void make_room(size_t occurrences);

  size_t occurrences_ = 0;
  std::vector<LongWord> long_words_;
  RawVector<CountedWord> collected_;  ///< and, when they were counted, the different ones at its beginning
  std::vector<Cell> cells_;           ///< open addressing; as many as the text needs are cleared before it is counted
};

}  // namespace neardup::jieba
