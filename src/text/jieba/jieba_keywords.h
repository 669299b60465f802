// KeywordExtractor: the keywords of a text by TF-IDF, exactly as jieba.analyse.extract_tags() gives them: the words of the accurate mode
// with HMM, of two characters and more, without stop words; weight = count * (idf / all counts), the median IDF for a word that is not in
// the table; by descending weight, of equal weights the word that comes first in the text.
//
// Immutable and shared by threads, total; every thread brings a scratch. A word in the trie is counted by its node, which also gives its
// IDF; only other words, which the HMM made, are looked up. The weights are jieba's doubles to the last bit: the one place where floating
// point decides an order, because jieba's order is reproduced.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "text/jieba/dictionary/jieba_sources.h"
#include "text/jieba/jieba_posseg.h"
#include "text/jieba/jieba_segmenter.h"
#include "text/jieba/jieba_word_counter.h"
#include "text/tokens/ranking.h"

namespace neardup {

struct JiebaKeyword {
  std::string_view word;
  double weight;
};

struct JiebaKeywordOptions {
  std::string idf_file = {};                                  ///< lines "word idf"; empty: the table of the dictionary
  std::optional<std::vector<jieba::WordIdf>> idf_table = {};  ///< instead of both
  std::string stop_words_file = {};                           ///< one a line, in addition to those of the dictionary
  std::optional<std::vector<std::string>> stop_words = {};    ///< instead of those of the dictionary
  std::vector<std::string> tags =
      {};                 ///< only words of these parts of speech, as JiebaTagger cuts them; empty: as JiebaSegmenter cuts them
  bool any_tags = false;  ///< a tag that the dictionary does not have is no error and matches nothing
};

class JiebaKeywordScratch {
 public:
  JiebaScratch segmenter;
  JiebaTagScratch tagger;

 private:
  friend class JiebaKeywordExtractor;
  jieba::WordCounter counter_;
  Ranking ranking_;
  std::vector<double> idf_;  ///< of the counted words
  std::vector<JiebaKeyword> keywords_;
  std::string lower_;
};

class JiebaKeywordExtractor {
 public:
  /// `dictionary` must outlive it. Throws Error{kUsage} if the dictionary lacks a required table, Error{kInput} for bad files.
  explicit JiebaKeywordExtractor(const JiebaDictionary& dictionary, const JiebaKeywordOptions& options = {});

  /// The best `top` keywords; 0: all. Valid until the next call with this scratch; the words point into the text or the scratch.
  std::span<const JiebaKeyword> extract(std::string_view text, size_t top, JiebaKeywordScratch& scratch) const;
  /// The IDF of any word.
  [[nodiscard]] double idf(std::string_view word) const;

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const noexcept;
  };

  bool collect(std::string_view text, JiebaKeywordScratch& scratch) const;
  std::string_view collect_tagged(std::string_view text, JiebaKeywordScratch& scratch) const;
  void read_tags(const JiebaKeywordOptions& options);
  [[nodiscard]] double idf_of(uint32_t key, std::string_view word) const;
  [[nodiscard]] bool is_stop_word(std::string_view word, std::string& lower) const;
  void take_idf(const std::vector<jieba::WordIdf>& table);

  const JiebaDictionary& dictionary_;
  std::optional<JiebaTagger> tagger_;
  std::vector<bool> allowed_;  ///< tag of tagger_ -> its words may be keywords
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
