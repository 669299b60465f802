// KeywordExtractor: the keywords of a text by TF-IDF, exactly as jieba.analyse.extract_tags() gives them: the words of the accurate
// mode with HMM, of two characters and more, without stop words; weight = count * (idf / all counts), the median IDF for a word
// that the table lacks; by weight downwards, of equal weights the word that comes first in the text.
//
// Immutable and shared by threads, total; every thread brings a scratch. A word of the dictionary is counted by its node in the trie,
// which also leads to its IDF; only words that the HMM made are looked up. The weights are jieba's doubles to the last bit: the one
// place where floating point decides an order, because it is what is reproduced.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "text/jieba_segmenter.h"

namespace neardup {

struct JiebaKeyword {
  std::string_view word;
  double weight;
};

struct JiebaKeywordOptions {
  std::string idf_file;         ///< lines "word idf"; empty: the table of the dictionary
  std::string stop_words_file;  ///< one a line, in addition to those of the dictionary
};

class JiebaKeywordScratch {
 public:
  JiebaScratch segmenter;

 private:
  friend class JiebaKeywordExtractor;
  struct Entry {
    std::string_view word;
    uint64_t key;  ///< a node of the trie, or a hash with the highest bit set
    double idf;
    uint32_t count;  ///< kStopped: not to be counted
    uint32_t slot;   ///< in the table
  };
  std::vector<Entry> entries;   ///< by first occurrence
  std::vector<uint32_t> table;  ///< open addressing: number of an entry plus 1; all 0 between texts
  std::vector<JiebaKeyword> keywords;
  struct Ranked {
    double weight;
    uint32_t entry;
  };
  std::vector<Ranked> order;
  std::string lower;
};

class JiebaKeywordExtractor {
 public:
  /// `dictionary` has to outlive it. Throws Error{kUsage} if the dictionary lacks what is needed, Error{kInput} for bad files.
  explicit JiebaKeywordExtractor(const JiebaDictionary& dictionary, const JiebaKeywordOptions& options = {});

  /// The best `top` keywords; 0: all. Valid until the next call with this scratch; the words point into the text or the scratch.
  std::span<const JiebaKeyword> extract(std::string_view text, size_t top, JiebaKeywordScratch& scratch) const;

 private:
  static constexpr uint32_t kStopped = ~uint32_t{0};
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const noexcept;
  };

  bool count(std::string_view text, JiebaKeywordScratch& scratch) const;
  void count_batch(JiebaKeywordScratch& scratch) const;
  uint32_t node_of(const jieba::Lattice& lattice, size_t begin, size_t end) const;
  void add(JiebaKeywordScratch& scratch, std::string_view word, uint32_t node) const;
  [[nodiscard]] bool is_stop_word(std::string_view word, std::string& lower) const;
  void read_idf(const std::string& file);

  const JiebaDictionary& dictionary_;
  double median_ = 0;
  std::vector<uint32_t> own_ids_;                                             // with an IDF file: by node, as Tables::idf_ids
  std::vector<double> own_idf_;                                               // and Tables::idf
  std::unordered_map<std::string, double, Hash, std::equal_to<>> other_idf_;  // of words that the trie lacks
  const uint32_t* ids_ = nullptr;
  const double* idf_ = nullptr;
  std::unordered_set<std::string, Hash, std::equal_to<>> stop_words_;
  std::array<bool, 256> stop_bytes_{};  ///< bytes that a stop word begins with, in any case
};

}  // namespace neardup
