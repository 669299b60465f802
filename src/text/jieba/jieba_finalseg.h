// Processes runs of single characters as jieba does: by its HMM (finalseg), or by joining letters and digits.
//
// Both change starts() of a Lattice or of a LongBlock: a bit that is cleared joins its position to the token before.
#pragma once

#include <cstdint>
#include <vector>

#include "text/jieba/jieba_lattice.h"
#include "text/jieba/jieba_long_block.h"

namespace neardup::jieba {

class FinalSegmenter {
 public:
  /// Runs of two or more go to the HMM, unless the dictionary has the whole run as a word.
  void join_by_hmm(const JiebaDictionary& dictionary, Lattice& lattice) { join_runs(dictionary, lattice); }
  void join_by_hmm(const JiebaDictionary& dictionary, LongBlock& block) { join_runs(dictionary, block); }

 private:
  template <typename Block>
  void join_runs(const JiebaDictionary& dictionary, Block& block);
  template <typename Block>
  void join_run(const JiebaDictionary& dictionary, Block& block, size_t begin, size_t end);
  template <typename Block>
  static void join_two(const JiebaDictionary& dictionary, Block& block, size_t begin);
  template <typename Block>
  void join_han(const JiebaDictionary& dictionary, Block& block, size_t begin, size_t end);

  std::vector<uint64_t> runs_;
  std::vector<uint8_t> came_from_;  ///< per position one bit a state: which of its two predecessors
};

/// Without HMM: letters and digits that follow each other are one token.
void join_letters(const JiebaDictionary& dictionary, Lattice& lattice);
void join_letters(const JiebaDictionary& dictionary, LongBlock& block);

}  // namespace neardup::jieba
