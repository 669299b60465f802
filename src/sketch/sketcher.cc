#include "neardup/sketcher.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/hash.h"
#include "features/document_frequency.h"
#include "features/feature_set.h"
#include "features/shingles.h"
#include "features/weighting.h"
#include "neardup/error.h"
#include "sketch/minhash.h"
#include "sketch/python_simhash.h"
#include "sketch/simhash.h"
#include "sketch/text_chain.h"

namespace neardup {

// What the scratch holds of the stages before the sketch.
struct Sketcher::Scratch::Stages {
  TextChain::Scratch text;
  std::string_view normalized;  // of the last text
  std::vector<Keyword> keywords;
  Weighter::Scratch weighter;
  std::vector<PythonToken> python_tokens;
};

namespace {

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
                    "recipe '" + recipe.name + "' weighs by the IDF of a corpus; here it needs a table: neardup idf fit");
      }
      return std::make_unique<Weighter>(WeightingKind::kTfIdf, recipe.top_k, table);
    default:
      return nullptr;
  }
}

// Of well-formed UTF-8.
size_t count_code_points(std::string_view text) noexcept {
  size_t count = 0;
  for (const char byte : text) count += (static_cast<uint8_t>(byte) & 0xC0) != 0x80;
  return count;
}

// The factor of jieba's weights where they are made whole.
double keyword_scale(const Recipe& recipe, size_t keywords, std::string_view normalized) {
  switch (recipe.python_scale) {
    case PythonScale::kCharacters:
      return static_cast<double>(count_code_points(normalized));
    case PythonScale::kConstant:
      return recipe.python_factor;
    default:
      return static_cast<double>(keywords);
  }
}

}  // namespace

Sketcher::Scratch::Scratch() : stages(std::make_unique<Stages>()) {}
Sketcher::Scratch::~Scratch() = default;
Sketcher::Scratch::Scratch(Scratch&&) noexcept = default;
Sketcher::Scratch& Sketcher::Scratch::operator=(Scratch&&) noexcept = default;

Sketcher::Sketcher(const Recipe& recipe, const DocumentFrequencyTable* fitted)
    : recipe_(checked(recipe)),
      // Every occurrence counts by itself under tf without a choice among features: then there is no need to count them first.
      way_(!recipe.weighted() || (recipe.weighting == Weighting::kTf && recipe.top_k == 0) ? Way::kShingles : Way::kWeighted),
      chain_(std::make_unique<TextChain>(recipe)),
      table_(recipe.weighting == Weighting::kTfIdf && !recipe.needs_fitting()
                 ? std::make_unique<const DocumentFrequencyTable>(DocumentFrequencyTable::open(recipe.idf))
                 : nullptr),
      weighter_(make_weighter(recipe, table_ != nullptr ? table_.get() : fitted)),
      minhasher_(recipe.fingerprints() ? nullptr : std::make_unique<MinHasher>(recipe.lanes, recipe.seed)) {}

Sketcher::~Sketcher() = default;

std::string_view Sketcher::normalize(std::string_view text, Scratch& scratch) const {
  return chain_->normalize(text, scratch.stages->text);
}

const TokenBuffer& Sketcher::tokenize(std::string_view text, Scratch& scratch) const {
  chain_->tokenize(normalize(text, scratch), scratch.stages->text, scratch.tokens);
  return scratch.tokens;
}

// Leaves the normalized text, and the tokens unless the features are keywords, in the scratch.
Sketcher::Result Sketcher::make_features(std::string_view text, Scratch& scratch) const {
  Scratch::Stages& stages = *scratch.stages;
  stages.normalized = normalize(text, scratch);
  const XXH128_hash_t hash = XXH3_128bits(stages.normalized.data(), stages.normalized.size());
  Result result{.exact = {.high = hash.high64, .low = hash.low64}};
  if (way_ == Way::kWeighted) {
    weigh_words(stages.normalized, scratch);
    result.feature_occurrences = scratch.weighted.size();
    result.too_short = scratch.weighted.size() < recipe_.min_features;
  } else {
    chain_->tokenize(stages.normalized, stages.text, scratch.tokens);
    hash_shingles(scratch.tokens, recipe_.shingle_size, recipe_.short_text, scratch.features);
    result.feature_occurrences = scratch.features.size();
    result.too_short = !has_distinct(scratch.features, recipe_.min_features);
  }
  return result;
}

void Sketcher::weigh_words(std::string_view normalized, Scratch& scratch) const {
  Scratch::Stages& stages = *scratch.stages;
  if (recipe_.weighting == Weighting::kJiebaKeywords) {
    stages.keywords.clear();
    for (const JiebaKeyword& keyword : chain_->keywords(normalized, recipe_.top_k, stages.text))
      stages.keywords.push_back({keyword.word, keyword.weight});
    weigh_keywords(stages.keywords, scratch.weighted);
    return;
  }
  chain_->tokenize(normalized, stages.text, scratch.tokens);
  hash_shingles(scratch.tokens, recipe_.shingle_size, recipe_.short_text, scratch.features);
  weighter_->weigh(std::span<const uint64_t>(scratch.features), stages.weighter, scratch.weighted);
}

Sketcher::Result Sketcher::exact(std::string_view text, Scratch& scratch) const {
  return make_features(text, scratch);
}

Sketcher::Result Sketcher::sketch(std::string_view text, Scratch& scratch, std::span<uint32_t> sketch) const {
  const Result result = make_features(text, scratch);
  if (result.too_short) return result;
  if (recipe_.fingerprints()) {
    write_fingerprint(scratch, sketch);
  } else {
    // The minimum over a set does not care for repetitions, so there is no need to make it a set first.
    if (recipe_.tokenizer == TokenizerKind::kChars) drop_most_repetitions(scratch.features);
    minhasher_->sketch(scratch.features, sketch);
  }
  return result;
}

void Sketcher::write_fingerprint(Scratch& scratch, std::span<uint32_t> sketch) const {
  Fingerprint128 made;
  if (recipe_.sketch == SketchKind::kPythonSimHash) {
    made = python_fingerprint(scratch);
  } else if (way_ == Way::kWeighted) {
    const std::span<const WeightedFeature> features(scratch.weighted);
    made = recipe_.bits == 64 ? Fingerprint128{.low = simhash64(features)->low} : *simhash128(features);
  } else {
    if (!recipe_.weighted()) make_feature_set(scratch.features, scratch.sort_space);
    const std::span<const uint64_t> features(scratch.features);
    made = recipe_.bits == 64 ? Fingerprint128{.low = simhash64(features)->low} : *simhash128(features);
  }
  const uint32_t words[4] = {static_cast<uint32_t>(made.low), static_cast<uint32_t>(made.low >> 32), static_cast<uint32_t>(made.high),
                             static_cast<uint32_t>(made.high >> 32)};
  std::copy_n(words, std::min(sketch.size(), sketch_words()), sketch.begin());
}

Fingerprint128 Sketcher::fingerprint(std::span<const uint32_t> words) noexcept {
  Fingerprint128 made{.low = words[0] | uint64_t{words[1]} << 32};
  if (words.size() == 4) made.high = words[2] | uint64_t{words[3]} << 32;
  return made;
}

Fingerprint128 Sketcher::python_fingerprint(Scratch& scratch) const {
  Scratch::Stages& stages = *scratch.stages;
  if (recipe_.python_input == PythonInput::kText) return python_simhash_text(stages.normalized);
  if (recipe_.python_input == PythonInput::kTokens) return python_simhash_tokens(scratch.tokens);
  stages.python_tokens.clear();
  if (recipe_.python_scale == PythonScale::kRaw) {
    for (const Keyword& keyword : stages.keywords) stages.python_tokens.push_back({keyword.word, keyword.weight});
    return python_simhash_weighted(stages.python_tokens);
  }
  const double scale = keyword_scale(recipe_, stages.keywords.size(), stages.normalized);
  for (const Keyword& keyword : stages.keywords) {
    // Python's math.floor of a product of floats; at 2^53 sums stop being exact there too.
    const double weight = std::min(std::floor(keyword.weight * scale), 0x1p53);
    stages.python_tokens.push_back({keyword.word, static_cast<int64_t>(weight)});
  }
  return python_simhash_weighted(stages.python_tokens);
}

std::span<const uint64_t> Sketcher::features(std::string_view text, Scratch& scratch) const {
  const Result result = make_features(text, scratch);
  if (way_ == Way::kWeighted) {
    scratch.features.resize(scratch.weighted.size());
    std::ranges::transform(scratch.weighted, scratch.features.begin(), &WeightedFeature::hash);
  } else {
    if (recipe_.tokenizer == TokenizerKind::kChars) drop_most_repetitions(scratch.features);
    make_feature_set(scratch.features, scratch.sort_space);
  }
  if (result.too_short) scratch.features.clear();
  return scratch.features;
}

std::span<const WeightedFeature> Sketcher::weighted_features(std::string_view text, Scratch& scratch) const {
  const Result result = make_features(text, scratch);
  if (way_ == Way::kShingles) {
    const Weighter occurrences(recipe_.weighted() ? WeightingKind::kTf : WeightingKind::kNone);
    occurrences.weigh(std::span<const uint64_t>(scratch.features), scratch.stages->weighter, scratch.weighted);
  }
  if (result.too_short) scratch.weighted.clear();
  return scratch.weighted;
}

// For people: slow.
std::vector<Sketcher::Word> Sketcher::words(std::string_view text, Scratch& scratch) const {
  std::map<uint64_t, int32_t> weights;
  for (const WeightedFeature& feature : weighted_features(text, scratch)) weights.emplace(feature.hash, feature.weight);
  std::vector<Word> words;
  const auto add = [&](std::string_view word) {
    const auto found = weights.find(hash64(word));
    if (found == weights.end()) return;
    words.push_back({std::string(word), found->second});
    weights.erase(found);  // each once, where it occurs first
  };
  if (recipe_.weighting == Weighting::kJiebaKeywords) {
    for (const Keyword& keyword : scratch.stages->keywords) add(keyword.word);
  } else if (scratch.tokens.size() < recipe_.shingle_size) {
    add(view_of(scratch.tokens.joined));
  } else {
    for (size_t i = 0; i + recipe_.shingle_size <= scratch.tokens.size(); ++i) add(scratch.tokens.run(i, recipe_.shingle_size));
  }
  std::ranges::stable_sort(words, [](const Word& a, const Word& b) { return a.weight > b.weight; });
  return words;
}

}  // namespace neardup
