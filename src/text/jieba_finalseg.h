// What jieba does with runs of single characters: its HMM (finalseg), or joining letters and digits.
//
// Both change Lattice::starts(): a bit that is cleared joins its position to the token before.
#pragma once

#include <cstdint>
#include <vector>

#include "text/jieba_lattice.h"

namespace neardup::jieba {

class FinalSegmenter {
 public:
  /// Runs of two or more go to the HMM, unless the dictionary has the whole run as a word.
  void join_by_hmm(const JiebaDictionary& dictionary, Lattice& lattice);

 private:
  void join_run(const JiebaDictionary& dictionary, Lattice& lattice, size_t begin, size_t end);
  static void join_two(const JiebaDictionary& dictionary, Lattice& lattice, size_t begin);
  void join_han(const JiebaDictionary& dictionary, Lattice& lattice, size_t begin, size_t end);

  std::vector<uint64_t> runs_;
  std::vector<uint8_t> came_from_;  ///< per position one bit a state: which of its two predecessors
};

/// Without HMM: letters and digits that follow each other are one token.
void join_letters(const JiebaDictionary& dictionary, Lattice& lattice);

}  // namespace neardup::jieba
