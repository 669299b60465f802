#include "neardup/sketcher.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/hash.h"
#include "base/raw_vector.h"
#include "features/document_frequency.h"
#include "features/feature_set.h"
#include "features/number_key.h"
#include "features/shingles.h"
#include "features/weighting.h"
#include "neardup/error.h"
#include "sketch/python_simhash.h"
#include "sketch/signature_hasher.h"
#include "sketch/simhash.h"
#include "sketch/sketcher_access.h"
#include "sketch/text_chain.h"
#include "text/utf8/characters.h"

namespace neardup {
namespace {

// How features are computed.
enum class FeatureSource {
  kShingles,  // scratch.features: hashes with repetitions
  kWeighted,  // scratch.weighted
};

const Recipe& checked(const Recipe& recipe) {
  recipe.check();
  return recipe;
}

std::unique_ptr<const Weighter> make_weighter(const Recipe& recipe, const DocumentFrequencyTable* table) {
  switch (recipe.weighting) {
    case Weighting::kTf:
      return std::make_unique<Weighter>(WeightingKind::kTf, recipe.top_k);
    case Weighting::kTfIdf:
      if (table == nullptr) {
        throw Error(ErrorCode::kUsage,
                    "recipe '" + recipe.name + "' weighs by the IDF of a corpus; it needs a table here: neardup idf fit");
      }
      return std::make_unique<Weighter>(WeightingKind::kTfIdf, recipe.top_k, table);
    default:
      return nullptr;
  }
}

// The factor that makes jieba's weights integers.
double keyword_scale(const Recipe& recipe, size_t keywords, std::string_view normalized) {
  switch (recipe.python_scale) {
    case PythonScale::kCharacters:
      return static_cast<double>(count_character_begins(normalized));
    case PythonScale::kConstant:
      return recipe.python_factor;
    default:
      return static_cast<double>(keywords);
  }
}

}  // namespace

// The state that a thread keeps from text to text.
struct Sketcher::Scratch::Impl {
  TextChain::Scratch text;
  std::string_view normalized;  // of the last text
  TokenBuffer tokens;
  std::vector<Keyword> keywords;
  RawVector<uint64_t> features;
  bool features_distinct = false;
  RawVector<uint64_t> sort_space;
  Weighter::Scratch weighter;
  std::vector<WeightedFeature> weighted;
  std::vector<PythonToken> python_tokens;
  NumberScratch numbers;
  uint64_t feature_key = 0;  // of the last text, see feature_key()
  std::string block;         // the name of its block, normalized
  ExactHash block_key;       // 0: no block
};

struct Sketcher::Impl {
  Impl(const Recipe& given, const DocumentFrequencyTable* fitted)
      : recipe(checked(given)),
        // Under tf without top_k every occurrence counts separately, so features need not be counted first.
        source(!recipe.weighted() || (recipe.weighting == Weighting::kTf && recipe.top_k == 0) ? FeatureSource::kShingles
                                                                                               : FeatureSource::kWeighted),
        chain(recipe),
        table(recipe.weighting == Weighting::kTfIdf && !recipe.needs_fitting()
                  ? std::make_unique<const DocumentFrequencyTable>(DocumentFrequencyTable::open(recipe.idf))
                  : nullptr),
        weighter(make_weighter(recipe, table != nullptr ? table.get() : fitted)),
        signature_hasher(recipe.fingerprints() ? nullptr : std::make_unique<SignatureHasher>(recipe)) {}

  // Combined with every feature, so that only texts that agree in it have features in common; 0: nothing to agree in.
  [[nodiscard]] uint64_t feature_key(Scratch::Impl& scratch) const {
    return scratch.block_key.low ^ (recipe.numbers_agree ? number_key(scratch.normalized, scratch.numbers) : 0);
  }
  [[nodiscard]] size_t sketch_words() const noexcept { return recipe.fingerprints() ? recipe.bits / 32 : recipe.lanes; }
  TokenBuffer& tokenize(std::string_view text, Scratch::Impl& scratch) const {
    chain.tokenize(chain.normalize(text, scratch.text), scratch.text, scratch.tokens);
    return scratch.tokens;
  }
  Result make_features(std::string_view text, Scratch::Impl& scratch) const;
  void make_set(Scratch::Impl& scratch) const;
  static void make_distinct(Scratch::Impl& scratch);
  void weigh_words(std::string_view normalized, Scratch::Impl& scratch) const;
  Result sketch(std::string_view text, Scratch::Impl& scratch, std::span<uint32_t> sketch) const;
  void write_fingerprint(Scratch::Impl& scratch, std::span<uint32_t> sketch) const;
  Fingerprint128 python_fingerprint(Scratch::Impl& scratch) const;
  std::span<const uint64_t> features(std::string_view text, Scratch::Impl& scratch) const;
  std::span<const WeightedFeature> weighted_features(std::string_view text, Scratch::Impl& scratch) const;
  std::vector<Word> words(std::string_view text, Scratch::Impl& scratch) const;

  const Recipe recipe;
  const FeatureSource source;
  const TextChain chain;
  const std::unique_ptr<const DocumentFrequencyTable> table;
  const std::unique_ptr<const Weighter> weighter;
  const std::unique_ptr<const SignatureHasher> signature_hasher;  // null: fingerprints
};

// Stores the normalized text in the scratch, and the tokens unless the features are keywords.
Sketcher::Result Sketcher::Impl::make_features(std::string_view text, Scratch::Impl& scratch) const {
  scratch.normalized = chain.normalize(text, scratch.text);
  const XXH128_hash_t hash = XXH3_128bits(scratch.normalized.data(), scratch.normalized.size());
  // Hashes of equal texts stay equal within a block, and differ in two blocks.
  Result result{.exact = {.high = hash.high64 ^ scratch.block_key.high, .low = hash.low64 ^ scratch.block_key.low}};
  scratch.feature_key = feature_key(scratch);
  if (source == FeatureSource::kWeighted) {
    weigh_words(scratch.normalized, scratch);
    result.feature_occurrences = scratch.weighted.size();
    result.too_short = scratch.weighted.size() < recipe.min_features;
  } else {
    chain.tokenize(scratch.normalized, scratch.text, scratch.tokens);
    hash_shingles(scratch.tokens, recipe.shingle_size, recipe.short_text, scratch.features);
    if (scratch.feature_key != 0) {
      for (uint64_t& feature : scratch.features) feature ^= scratch.feature_key;
    }
    scratch.features_distinct = false;
    result.feature_occurrences = scratch.features.size();
    result.too_short = !has_distinct(scratch.features, recipe.min_features);
  }
  return result;
}

void Sketcher::Impl::weigh_words(std::string_view normalized, Scratch::Impl& scratch) const {
  if (recipe.weighting == Weighting::kJiebaKeywords) {
    scratch.keywords.clear();
    for (const JiebaKeyword& keyword : chain.keywords(normalized, recipe.top_k, scratch.text))
      scratch.keywords.push_back({keyword.word, keyword.weight});
    weigh_keywords(scratch.keywords, scratch.weighted);
    return;
  }
  chain.tokenize(normalized, scratch.text, scratch.tokens);
  hash_shingles(scratch.tokens, recipe.shingle_size, recipe.short_text, scratch.features);
  weighter->weigh(std::span<const uint64_t>(scratch.features), scratch.weighter, scratch.weighted);
}

Sketcher::Result Sketcher::Impl::sketch(std::string_view text, Scratch::Impl& scratch, std::span<uint32_t> sketch) const {
  const Result result = make_features(text, scratch);
  if (result.too_short) return result;
  if (recipe.fingerprints()) {
    write_fingerprint(scratch, sketch);
  } else {
    // Repetitions do not change a minimum, so there is no need to make it a set first.
    if (recipe.tokenizer == TokenizerKind::kChars) drop_most_repetitions(scratch.features);
    signature_hasher->sketch(scratch.features, sketch);
  }
  return result;
}

void Sketcher::Impl::write_fingerprint(Scratch::Impl& scratch, std::span<uint32_t> sketch) const {
  Fingerprint128 made;
  if (recipe.sketch == SketchKind::kPythonSimHash) {
    made = python_fingerprint(scratch);
  } else if (source == FeatureSource::kWeighted) {
    const std::span<const WeightedFeature> features(scratch.weighted);
    made = recipe.bits == 64 ? Fingerprint128{.low = simhash64(features)->low} : *simhash128(features);
  } else {
    if (!recipe.weighted()) make_distinct(scratch);  // votes have no order
    const std::span<const uint64_t> features(scratch.features);
    made = recipe.bits == 64 ? Fingerprint128{.low = simhash64(features)->low} : *simhash128(features);
  }
  const uint32_t words[4] = {static_cast<uint32_t>(made.low), static_cast<uint32_t>(made.low >> 32), static_cast<uint32_t>(made.high),
                             static_cast<uint32_t>(made.high >> 32)};
  std::copy_n(words, std::min(sketch.size(), sketch_words()), sketch.begin());
}

Fingerprint128 Sketcher::Impl::python_fingerprint(Scratch::Impl& scratch) const {
  if (recipe.python_input == PythonInput::kText) return python_simhash_text(scratch.normalized);
  if (recipe.python_input == PythonInput::kTokens) return python_simhash_tokens(scratch.tokens);
  scratch.python_tokens.clear();
  if (recipe.python_scale == PythonScale::kRaw) {
    for (const Keyword& keyword : scratch.keywords) scratch.python_tokens.push_back({keyword.word, keyword.weight});
    return python_simhash_weighted(scratch.python_tokens);
  }
  const double scale = keyword_scale(recipe, scratch.keywords.size(), scratch.normalized);
  for (const Keyword& keyword : scratch.keywords) {
    // Python's math.floor of a product of floats; from 2^53 on, sums are not exact in Python either.
    const double weight = std::min(std::floor(keyword.weight * scale), 0x1p53);
    scratch.python_tokens.push_back({keyword.word, static_cast<int64_t>(weight)});
  }
  return python_simhash_weighted(scratch.python_tokens);
}

// Of what make_features() found.
void Sketcher::Impl::make_set(Scratch::Impl& scratch) const {
  if (source == FeatureSource::kWeighted) {
    scratch.features.resize(scratch.weighted.size());
    std::ranges::transform(scratch.weighted, scratch.features.begin(), &WeightedFeature::hash);
  } else {
    make_feature_set(scratch.features, scratch.sort_space);
  }
}

// The same for shingles, in any order.
void Sketcher::Impl::make_distinct(Scratch::Impl& scratch) {
  if (!std::exchange(scratch.features_distinct, true)) drop_repetitions(scratch.features, scratch.sort_space);
}

std::span<const uint64_t> Sketcher::Impl::features(std::string_view text, Scratch::Impl& scratch) const {
  const Result result = make_features(text, scratch);
  if (source == FeatureSource::kShingles && recipe.tokenizer == TokenizerKind::kChars) drop_most_repetitions(scratch.features);
  make_set(scratch);
  if (result.too_short) scratch.features.clear();
  return scratch.features;
}

std::span<const WeightedFeature> Sketcher::Impl::weighted_features(std::string_view text, Scratch::Impl& scratch) const {
  const Result result = make_features(text, scratch);
  if (source == FeatureSource::kShingles) {
    const Weighter occurrences(recipe.weighted() ? WeightingKind::kTf : WeightingKind::kNone);
    occurrences.weigh(std::span<const uint64_t>(scratch.features), scratch.weighter, scratch.weighted);
  }
  if (result.too_short) scratch.weighted.clear();
  return scratch.weighted;
}

// For people: slow.
std::vector<Sketcher::Word> Sketcher::Impl::words(std::string_view text, Scratch::Impl& scratch) const {
  std::map<uint64_t, int32_t> weights;
  for (const WeightedFeature& feature : weighted_features(text, scratch)) weights.emplace(feature.hash, feature.weight);
  std::vector<Word> words;
  const auto add = [&](std::string_view word) {
    const auto found = weights.find(hash64(word) ^ scratch.feature_key);
    if (found == weights.end()) return;
    words.push_back({std::string(word), found->second});
    weights.erase(found);  // each once, where it occurs first
  };
  if (recipe.weighting == Weighting::kJiebaKeywords) {
    for (const Keyword& keyword : scratch.keywords) add(keyword.word);
  } else if (scratch.tokens.size() < recipe.shingle_size) {
    add(view_of(scratch.tokens.joined));
  } else {
    for (size_t i = 0; i + recipe.shingle_size <= scratch.tokens.size(); ++i) add(scratch.tokens.run(i, recipe.shingle_size));
  }
  std::ranges::stable_sort(words, [](const Word& a, const Word& b) { return a.weight > b.weight; });
  return words;
}

Sketcher::Scratch::Scratch() : impl_(std::make_unique<Impl>()) {}
Sketcher::Scratch::~Scratch() = default;
Sketcher::Scratch::Scratch(Scratch&&) noexcept = default;
Sketcher::Scratch& Sketcher::Scratch::operator=(Scratch&&) noexcept = default;

Sketcher::Sketcher(const Recipe& recipe, const DocumentFrequencyTable* fitted) : impl_(std::make_unique<const Impl>(recipe, fitted)) {}
Sketcher::~Sketcher() = default;

const Recipe& Sketcher::recipe() const noexcept {
  return impl_->recipe;
}

size_t Sketcher::sketch_words() const noexcept {
  return impl_->sketch_words();
}

Sketcher::Result Sketcher::sketch(std::string_view text, Scratch& scratch, std::span<uint32_t> sketch) const {
  return impl_->sketch(text, *scratch.impl_, sketch);
}

Fingerprint128 Sketcher::fingerprint(std::span<const uint32_t> words) noexcept {
  Fingerprint128 made{.low = words[0] | uint64_t{words[1]} << 32};
  if (words.size() == 4) made.high = words[2] | uint64_t{words[3]} << 32;
  return made;
}

Sketcher::Result Sketcher::exact(std::string_view text, Scratch& scratch) const {
  return impl_->make_features(text, *scratch.impl_);
}

std::span<const uint64_t> Sketcher::features(std::string_view text, Scratch& scratch) const {
  return impl_->features(text, *scratch.impl_);
}

std::span<const WeightedFeature> Sketcher::weighted_features(std::string_view text, Scratch& scratch) const {
  return impl_->weighted_features(text, *scratch.impl_);
}

std::string_view Sketcher::normalize(std::string_view text, Scratch& scratch) const {
  return impl_->chain.normalize(text, scratch.impl_->text);
}

std::vector<std::string_view> Sketcher::tokenize(std::string_view text, Scratch& scratch) const {
  const TokenBuffer& tokens = impl_->tokenize(text, *scratch.impl_);
  std::vector<std::string_view> views;
  views.reserve(tokens.size());
  for (size_t i = 0; i < tokens.size(); ++i) views.push_back(tokens.token(i));
  return views;
}

std::vector<Sketcher::Word> Sketcher::words(std::string_view text, Scratch& scratch) const {
  return impl_->words(text, *scratch.impl_);
}

bool SketcherAccess::enter_block(const Sketcher& sketcher, std::string_view name, Sketcher::Scratch& scratch) {
  Sketcher::Scratch::Impl& kept = *scratch.impl_;
  sketcher.impl_->chain.normalize_value(name, kept.text, kept.block);
  // Another seed than that of all other hashes, so that a block is not mistaken for the numbers of a text.
  const XXH128_hash_t key = XXH3_128bits_withSeed(kept.block.data(), kept.block.size(), 1);
  kept.block_key = {.high = key.high64, .low = key.low64};
  return !kept.block.empty();
}

TokenBuffer& SketcherAccess::tokenize(const Sketcher& sketcher, std::string_view text, Sketcher::Scratch& scratch) {
  return sketcher.impl_->tokenize(text, *scratch.impl_);
}

std::span<const uint64_t> SketcherAccess::token_hashes(const Sketcher& sketcher, std::string_view text, Sketcher::Scratch& scratch) {
  hash_tokens(tokenize(sketcher, text, scratch), scratch.impl_->features);
  return scratch.impl_->features;
}

std::span<const uint64_t> SketcherAccess::occurrences(const Sketcher& sketcher, std::string_view text, Sketcher::Scratch& scratch) {
  sketcher.impl_->make_features(text, *scratch.impl_);
  return scratch.impl_->features;
}

uint64_t SketcherAccess::feature_key(const Sketcher::Scratch& scratch) noexcept {
  return scratch.impl_->feature_key;
}

TokenBuffer& SketcherAccess::tokens(Sketcher::Scratch& scratch) noexcept {
  return scratch.impl_->tokens;
}

bool SketcherAccess::has_length(const Sketcher::Scratch& scratch, uint64_t characters) noexcept {
  constexpr size_t kMaxBytes = 4;  // of a code point
  const std::string_view text = scratch.impl_->normalized;
  return text.size() / kMaxBytes >= characters || count_character_begins(text) >= characters;
}

uint64_t SketcherAccess::distinct_features(const Sketcher& sketcher, Sketcher::Scratch& scratch) {
  Sketcher::Scratch::Impl& kept = *scratch.impl_;
  if (sketcher.impl_->source == FeatureSource::kWeighted) return kept.weighted.size();
  Sketcher::Impl::make_distinct(kept);
  return kept.features.size();
}

std::span<const uint64_t> SketcherAccess::feature_set(const Sketcher& sketcher, Sketcher::Scratch& scratch) {
  sketcher.impl_->make_set(*scratch.impl_);
  return scratch.impl_->features;
}

}  // namespace neardup
