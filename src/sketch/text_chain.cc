#include "sketch/text_chain.h"

#include <algorithm>

#include "text/jieba/dictionary/jieba_dictionary.h"
#include "text/jieba/dictionary/jieba_user_words.h"
#include "text/tokens/code_tokenizer.h"
#include "text/tokens/token_filter.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

JiebaMode mode_of(TokenizerKind kind) {
  if (kind == TokenizerKind::kJiebaFull) return JiebaMode::kFull;
  return kind == TokenizerKind::kJiebaSearch ? JiebaMode::kSearch : JiebaMode::kAccurate;
}

bool is_blank(std::string_view token) {
  // The first byte decides for most tokens: white space begins with an ASCII byte, or with one of these.
  const auto first = static_cast<uint8_t>(token.empty() ? ' ' : token[0]);
  if (first > ' ' && first != 0xC2 && first != 0xE1 && first != 0xE2 && first != 0xE3) return false;
  for (size_t at = 0; at < token.size();) {
    const Decoded decoded = decode_utf8(token, at);
    if (!is_white_space(decoded.code_point)) return false;
    at += decoded.length;
  }
  return true;
}

// Stop words are in the form of the tokens.
StopWords folded(StopWords words, const HanFold* fold) {
  if (fold == nullptr) return words;
  std::vector<std::string> images(words.words().size());
  for (size_t i = 0; i < images.size(); ++i) fold->fold(words.words()[i], images[i]);
  return StopWords(std::move(images));
}

}  // namespace

struct TextChain::Chinese {
  explicit Chinese(const Recipe& recipe)
      : base(JiebaDictionary::open_shared(recipe.dictionary.empty() ? find_jieba_dictionary() : recipe.dictionary)) {
    if (!recipe.user_words.empty()) {
      UserWords words(*base);
      words.load(recipe.user_words);
      changed.emplace(words.build());
    }
    const JiebaDictionary& dictionary = changed ? *changed : *base;
    segmenter.emplace(dictionary, mode_of(recipe.tokenizer));
    if (recipe.weighting == Weighting::kJiebaKeywords) extractor.emplace(dictionary);
  }

  std::shared_ptr<const JiebaDictionary> base;
  std::optional<JiebaDictionary> changed;
  std::optional<JiebaSegmenter> segmenter;
  std::optional<JiebaKeywordExtractor> extractor;
};

TextChain::TextChain(const Recipe& recipe)
    : cleaners_(CleanChain::parse(recipe.clean, {.line_lists = recipe.line_lists})),
      normalizer_(make_normalizer(recipe.normalizer)),
      fold_(recipe.fold_han ? &HanFold::traditional_to_simplified() : nullptr),
      // jieba's tokens for white space are needed for the bits of the Python package, and are noise otherwise.
      keep_blank_tokens_(recipe.sketch == SketchKind::kPythonSimHash) {
  if (recipe.uses_jieba()) {
    chinese_ = std::make_unique<const Chinese>(recipe);
  } else {
    tokenizer_ = recipe.tokenizer == TokenizerKind::kCode ? make_code_tokenizer(recipe.code) : make_tokenizer(recipe.tokenizer);
  }
  if (!recipe.stop_words.empty()) stop_words_ = folded(StopWords::load(recipe.stop_words).images_of(*normalizer_), fold_);
  if (!recipe.stemmer.empty()) stemmer_.emplace(recipe.stemmer);
}

TextChain::~TextChain() = default;

std::string_view TextChain::normalize(std::string_view text, Scratch& scratch) const {
  normalizer_->normalize(cleaners_.clean(text, scratch.cleaner), scratch.normalized, scratch.piece);
  const std::string_view normalized = view_of(scratch.normalized);
  if (fold_ == nullptr) return normalized;
  fold_->fold(normalized, scratch.folded);
  return scratch.folded;
}

void TextChain::normalize_value(std::string_view value, Scratch& scratch, std::string& out) const {
  normalizer_->normalize(value, scratch.normalized, scratch.piece);
  if (fold_ != nullptr) {
    fold_->fold(view_of(scratch.normalized), out);
  } else {
    out = view_of(scratch.normalized);
  }
}

void TextChain::tokenize(std::string_view normalized, Scratch& scratch, TokenBuffer& out) const {
  const bool filters = stop_words_ || stemmer_;
  TokenBuffer& tokens = filters ? scratch.unfiltered : out;
  if (tokenizer_ != nullptr) {
    tokenizer_->tokenize(normalized, tokens);
  } else {
    JiebaScratch& jieba = scratch.jieba.segmenter;
    size_t bytes = 0;  // of the joined tokens, with the blank after the last one
    size_t count = 0;
    const auto begin = [&] { bytes = count = 0; };
    const auto take = [&](std::span<const JiebaToken> found) {
      size_t max_bytes = bytes;
      for (const JiebaToken token : found) max_bytes += token.end - token.begin + 1;
      if (tokens.joined.size() < max_bytes) tokens.joined.resize(max_bytes + max_bytes / 2);
      if (tokens.starts.size() < count + found.size() + 1) tokens.starts.resize((count + found.size() + 1) * 3 / 2);
      char* to = tokens.joined.data() + bytes;
      for (const JiebaToken token : found) {
        const std::string_view word = jieba.view(token);
        if (!keep_blank_tokens_ && is_blank(word)) continue;
        tokens.starts[count++] = static_cast<uint32_t>(to - tokens.joined.data());
        to = std::copy(word.begin(), word.end(), to);
        *to++ = ' ';
      }
      bytes = static_cast<size_t>(to - tokens.joined.data());
    };
    chinese_->segmenter->segment(normalized, jieba, begin, take);
    tokens.separator_bytes = 1;
    tokens.starts.resize(count + 1);
    tokens.starts[count] = static_cast<uint32_t>(bytes);
    tokens.joined.resize(count == 0 ? 0 : bytes - 1);
  }
  if (!filters) return;
  if (stemmer_ && !scratch.stemmer) scratch.stemmer.emplace(*stemmer_);
  filter_tokens(tokens, stop_words_ ? &*stop_words_ : nullptr, stemmer_ ? &*stemmer_ : nullptr,
                scratch.stemmer ? &*scratch.stemmer : nullptr, out);
}

std::span<const JiebaKeyword> TextChain::keywords(std::string_view normalized, size_t top, Scratch& scratch) const {
  const auto all = chinese_->extractor->extract(normalized, stop_words_ ? 0 : top, scratch.jieba);
  if (!stop_words_) return all;
  scratch.keywords.clear();
  for (const JiebaKeyword& keyword : all) {
    if (top != 0 && scratch.keywords.size() == top) break;
    if (!stop_words_->contains(keyword.word)) scratch.keywords.push_back(keyword);
  }
  return scratch.keywords;
}

}  // namespace neardup
