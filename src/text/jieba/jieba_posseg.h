// JiebaTagger: words with their parts of speech, exactly as jieba.posseg of the Python package jieba 0.42.1 gives them, for valid UTF-8.
//
// posseg cuts differently from jieba.cut: '%' and '-' are in no block, and new words come from an HMM whose states have tags, which also
// makes words that the segmenter's HMM must not make. A word is a range of bytes, and the words joined are the text. Malformed UTF-8 reads
// as for JiebaSegmenter, so read words through JiebaTagScratch::view(). Total; immutable and shared by threads; every thread brings a
// scratch. Texts are shorter than 2^31 bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/raw_vector.h"
#include "text/jieba/dictionary/jieba_dictionary.h"
#include "text/jieba/jieba_lattice.h"
#include "text/jieba/jieba_long_block.h"
#include "text/jieba/jieba_tag_viterbi.h"

namespace neardup {

struct JiebaTaggedWord {
  uint32_t begin;
  uint32_t end;
  uint16_t tag;  ///< its name: JiebaTagger::tags()
};

/// Buffers that a thread reuses from text to text.
class JiebaTagScratch {
 public:
  /// Valid until the next call with this scratch, as are the words.
  [[nodiscard]] std::string_view view(const JiebaTaggedWord& word) const noexcept { return text.substr(word.begin, word.end - word.begin); }

  std::string_view text;  ///< what was tagged: the text that was given, or `repaired`
  std::string repaired;
  RawVector<JiebaTaggedWord> words;
  jieba::Lattice lattice;
  jieba::TagViterbi::Scratch viterbi;
};

class JiebaTagger {
 public:
  /// `dictionary` must outlive it. Without `hmm`, as posseg.cut(text, HMM=False). Throws Error{kUsage} if the dictionary has no tags.
  explicit JiebaTagger(const JiebaDictionary& dictionary, bool hmm = true);

  /// The words in the order of the text.
  std::span<const JiebaTaggedWord> tag(std::string_view text, JiebaTagScratch& scratch) const;
  /// Tag -> name.
  [[nodiscard]] const std::vector<std::string_view>& tags() const noexcept { return names_; }

 private:
  bool cut(std::string_view text, JiebaTagScratch& scratch) const;
  template <typename Block>
  void tag_words(const Block& block, JiebaTagScratch& scratch) const;
  template <typename Block>
  void tag_run(const Block& block, size_t begin, size_t end, JiebaTagScratch& scratch) const;
  template <typename Block>
  void tag_han(const Block& block, size_t begin, size_t end, JiebaTagScratch& scratch) const;
  template <typename Block>
  void tag_rest(const Block& block, size_t begin, size_t end, JiebaTagScratch& scratch) const;

  const JiebaDictionary& dictionary_;
  const bool hmm_;
  const jieba::TagViterbi viterbi_;
  std::vector<std::string_view> names_;
  std::vector<uint16_t> block_codes_;     // as those of the dictionary, without '%' and '-'
  std::vector<uint16_t> character_tags_;  // by code: of the character as a word
};

}  // namespace neardup
