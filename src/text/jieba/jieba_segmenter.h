// JiebaSegmenter: Chinese words exactly as the Python package jieba 0.42.1 cuts them, for valid UTF-8.
//
// A token is a range of bytes; in the accurate mode the tokens are the text, cut. Malformed UTF-8 reads as U+FFFD per maximal subpart
// (docs/recipe.md): the ranges are then in a repaired copy, so always read them through JiebaScratch::view(). Total; immutable and shared
// by threads; every thread brings a scratch. Texts are shorter than 2^31 bytes. Does not copy tokens, and does not do jieba's
// mode "paddle"; for parts of speech see jieba_posseg.h.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/raw_vector.h"
#include "text/jieba/dictionary/jieba_dictionary.h"
#include "text/jieba/jieba_finalseg.h"
#include "text/jieba/jieba_lattice.h"
#include "text/jieba/jieba_long_block.h"

namespace neardup {

struct TokenBuffer;

enum class JiebaMode {
  kAccurate,       ///< jieba.cut(text)
  kAccurateNoHmm,  ///< jieba.cut(text, HMM=False)
  kFull,           ///< jieba.cut(text, cut_all=True); has empty tokens around white space
  kSearch,         ///< jieba.cut_for_search(text)
  kSearchNoHmm,    ///< jieba.cut_for_search(text, HMM=False)
};

struct JiebaToken {
  uint32_t begin;
  uint32_t end;
};

/// Buffers that a thread reuses from text to text.
class JiebaScratch {
 public:
  /// Valid until the next call with this scratch, as are the tokens.
  [[nodiscard]] std::string_view view(JiebaToken token) const noexcept {
    return token.begin < text.size() || token.end <= text.size()
               ? text.substr(token.begin, token.end - token.begin)
               : std::string_view(glued).substr(token.begin - text.size(), token.end - token.begin);
  }

  std::string_view text;  ///< what was cut: the text that was given, or `repaired`
  std::string repaired;
  std::string glued;  ///< tokens of the full mode that are not a range of the text; their ranges continue after the end of the text
  RawVector<JiebaToken> tokens;
  std::vector<uint32_t> lengths;  ///< of the words at one position
  jieba::Lattice lattice;
  jieba::FinalSegmenter final_segmenter;
};

class JiebaSegmenter {
 public:
  using TakeTokens = std::function<void(std::span<const JiebaToken>)>;

  /// `dictionary` must outlive it. Throws Error{kUsage} if the mode needs an HMM and the dictionary has none.
  JiebaSegmenter(const JiebaDictionary& dictionary, JiebaMode mode);

  /// The tokens in the order of jieba; read them through scratch.view().
  std::span<const JiebaToken> segment(std::string_view text, JiebaScratch& scratch) const;
  /// The same, batch by batch, so that a long text needs no memory for all its tokens: `take` gets those of each batch, and must read them
  /// immediately. `begin` is called first, and again if the text is found to be malformed: then earlier tokens must be discarded.
  void segment(std::string_view text, JiebaScratch& scratch, const std::function<void()>& begin, const TakeTokens& take) const;
  /// The same, copied: tokens parted by one blank. Replaces `out`.
  void tokenize(std::string_view text, JiebaScratch& scratch, TokenBuffer& out) const;

  [[nodiscard]] const JiebaDictionary& dictionary() const noexcept { return dictionary_; }

 private:
  bool cut(std::string_view text, JiebaScratch& scratch, const TakeTokens* take) const;
  void cut_batch(JiebaScratch& scratch) const;
  size_t cut_long(size_t at, JiebaScratch& scratch, bool& valid) const;

  const JiebaDictionary& dictionary_;
  const JiebaMode mode_;
};

}  // namespace neardup
