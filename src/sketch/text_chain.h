// TextChain: the language-dependent part of a recipe, from bytes to tokens: clean, normalize, fold, tokenize, drop stop words, stem.
//
// Immutable, shared by threads; every thread brings a Scratch. Total. Owns the contents of the recipe's files: the dictionary with its user
// words, the stop words.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/raw_vector.h"
#include "neardup/recipe.h"
#include "text/clean/cleaner.h"
#include "text/jieba/jieba_keywords.h"
#include "text/jieba/jieba_segmenter.h"
#include "text/normalize/han_fold.h"
#include "text/normalize/normalizer.h"
#include "text/tokens/stemmer.h"
#include "text/tokens/stop_words.h"
#include "text/tokens/token_buffer.h"
#include "text/tokens/tokenizer.h"

namespace neardup {

class TextChain {
 public:
  struct Scratch {
    Cleaner::Scratch cleaner;
    RawVector<char> normalized;
    std::string piece;  // for the slow path of the normalizer
    std::string folded;
    JiebaKeywordScratch jieba;
    TokenBuffer unfiltered;
    std::vector<JiebaKeyword> keywords;  // without stop words
    std::optional<Stemmer::Scratch> stemmer;
  };

  /// Requires a recipe that was checked and resolved. Throws Error{kInput} for files that cannot be read.
  explicit TextChain(const Recipe& recipe);
  ~TextChain();
  TextChain(const TextChain&) = delete;
  TextChain& operator=(const TextChain&) = delete;

  /// The text that exact copies share. Valid until the next call with this scratch.
  std::string_view normalize(std::string_view text, Scratch& scratch) const;
  /// Replaces `out` by a short value as a text of this recipe is normalized, but not cleaned.
  void normalize_value(std::string_view value, Scratch& scratch, std::string& out) const;
  /// The tokens of a normalized text. Replaces `out`.
  void tokenize(std::string_view normalized, Scratch& scratch, TokenBuffer& out) const;
  /// The keywords of a normalized text, heaviest first, at most `top`; 0: all. Requires Weighting::kJiebaKeywords. Valid as normalize().
  std::span<const JiebaKeyword> keywords(std::string_view normalized, size_t top, Scratch& scratch) const;

 private:
  struct Chinese;  // state of the jieba tokenizers

  CleanChain cleaners_;
  std::unique_ptr<const Normalizer> normalizer_;
  const HanFold* fold_ = nullptr;
  std::unique_ptr<const Tokenizer> tokenizer_;  // null: Chinese
  std::unique_ptr<const Chinese> chinese_;
  bool keep_blank_tokens_ = false;
  std::optional<StopWords> stop_words_;
  std::optional<Stemmer> stemmer_;
};

}  // namespace neardup
