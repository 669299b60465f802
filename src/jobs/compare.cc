#include "neardup/compare.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>

#include "base/raw_vector.h"
#include "features/cosine.h"
#include "features/feature_set.h"
#include "features/feature_weigher.h"
#include "features/shingles.h"
#include "features/weighted_jaccard.h"
#include "index/prefix/containment_rule.h"
#include "jobs/passages.h"
#include "neardup/error.h"
#include "neardup/recipe.h"
#include "neardup/stop.h"
#include "neardup/tools/run_weights.h"
#include "sketch/minhash.h"
#include "sketch/sketcher_access.h"

namespace neardup {
namespace {

// One text with everything needed for a comparison.
struct Prepared {
  Comparison::Side side;
  ExactHash exact;
  std::vector<uint32_t> sketch;
  RawVector<uint64_t> shingles;  // in text order
  RawVector<uint64_t> features;
  std::vector<uint64_t> weighed;  // the features that have weights: those of a fingerprint, or of a MinHash as a run weighed them
  std::vector<uint64_t> weights;
  std::vector<Sketcher::Word> words;
  TokenBuffer tokens;
  uint64_t feature_key = 0;  // of numbers that must agree
};

Prepared prepare(const Sketcher& sketcher, std::string_view text) {
  check_stop();
  Prepared prepared;
  Sketcher::Scratch scratch;
  prepared.sketch.resize(sketcher.sketch_words());
  const Sketcher::Result result = sketcher.sketch(text, scratch, prepared.sketch);
  prepared.exact = result.exact;
  if (sketcher.recipe().fingerprints()) {
    if (result.too_short) std::ranges::fill(prepared.sketch, 0);
    for (const WeightedFeature& feature : sketcher.weighted_features(text, scratch)) {
      prepared.features.push_back(feature.hash);
      prepared.weights.push_back(static_cast<uint64_t>(feature.weight));
    }
    prepared.weighed.assign(prepared.features.begin(), prepared.features.end());
    prepared.words = sketcher.words(text, scratch);
    SketcherAccess::tokenize(sketcher, text, scratch);  // tokens() is unspecified where the features are keywords
  }
  prepared.tokens = std::move(SketcherAccess::tokens(scratch));
  hash_shingles(prepared.tokens, sketcher.recipe().shingle_size, sketcher.recipe().short_text, prepared.shingles);
  if (!sketcher.recipe().fingerprints()) {
    prepared.feature_key = SketcherAccess::feature_key(scratch);
    prepared.features = prepared.shingles;
    for (uint64_t& feature : prepared.features) feature ^= prepared.feature_key;
    RawVector<uint64_t> sort_space;
    make_feature_set(prepared.features, sort_space);
  }
  prepared.side = {.bytes = text.size(),
                   .tokens = prepared.tokens.size(),
                   .shingles = prepared.shingles.size(),
                   .features = static_cast<uint32_t>(prepared.features.size()),
                   .too_short = result.too_short};
  return prepared;
}

// The features with the weights that they had in a run. A block is part of them there, but not of those that are compared as sets.
void weigh(const Sketcher& sketcher, std::string_view text, const ComparedWeights& weights, Prepared& prepared) {
  Sketcher::Scratch scratch;
  if (weights.block) SketcherAccess::enter_block(sketcher, *weights.block, scratch);
  Weighter::Scratch weighter;
  std::vector<WeightedFeature> weighted;
  weights.of_run->get().weigh(SketcherAccess::occurrences(sketcher, text, scratch), weighter, weighted);
  for (const WeightedFeature& feature : weighted) {
    prepared.weighed.push_back(feature.hash);
    prepared.weights.push_back(static_cast<uint64_t>(feature.weight));
  }
}

void compare_weights(const Prepared& a, const Prepared& b, Comparison& result) {
  result.weighted = true;
  if (!result.measurable()) return;
  const WeightedSet set_a{.features = a.weighed, .weights = a.weights};
  const WeightedSet set_b{.features = b.weighed, .weights = b.weights};
  result.weighted_jaccard = weighted_jaccard_millionths(set_a, set_b) / 1e6;
  result.weighted_cosine = cosine_millionths(set_a, set_b) / 1e6;
}

SharedPassage describe(const Sketcher& sketcher, const Prepared& a, const Passage& passage) {
  const size_t first = passage.begin;
  const size_t last = std::min(passage.begin + passage.shingles + sketcher.recipe().shingle_size - 2, a.tokens.size() - 1);
  Sketcher::Scratch scratch;
  // Tokens are joined by blanks, which Chinese does not write; normalizing removes them again.
  const size_t tokens = last - first + 1;
  return {.text = std::string(sketcher.normalize(a.tokens.run(first, tokens), scratch)), .tokens = tokens};
}

// The words of both, heaviest first; of equal ones those of a in their order, then those of b.
std::vector<ComparedWord> merge_words(const std::vector<Sketcher::Word>& a, const std::vector<Sketcher::Word>& b) {
  std::vector<ComparedWord> words;
  std::unordered_map<std::string_view, size_t> place;
  for (const Sketcher::Word& word : a) {
    place.emplace(word.word, words.size());
    words.push_back({word.word, word.weight, 0});
  }
  for (const Sketcher::Word& word : b) {
    if (const auto found = place.find(word.word); found != place.end()) {
      words[found->second].weight_b = word.weight;
    } else {
      words.push_back({word.word, 0, word.weight});
    }
  }
  std::ranges::stable_sort(words, std::greater<>(), [](const ComparedWord& word) { return std::max(word.weight_a, word.weight_b); });
  return words;
}

void compare_fingerprints(const Prepared& a, const Prepared& b, size_t max_words, Comparison& result) {
  result.fingerprint_a = Sketcher::fingerprint(a.sketch);
  result.fingerprint_b = Sketcher::fingerprint(b.sketch);
  if (result.measurable()) {
    result.distance = hamming_distance(result.fingerprint_a, result.fingerprint_b);
  }
  result.words = merge_words(a.words, b.words);
  result.words_in_all = result.words.size();
  if (result.words.size() > max_words) result.words.resize(max_words);
}

// The data of one text for the verdict of a preset.
struct PresetText {
  Sketcher::Result result;
  std::vector<uint32_t> sketch;
  std::vector<uint64_t> features;
};

PresetText prepare_for_preset(const Sketcher& sketcher, std::string_view text) {
  PresetText prepared;
  Sketcher::Scratch scratch;
  prepared.sketch.resize(sketcher.sketch_words());
  prepared.result = sketcher.sketch(text, scratch, prepared.sketch);
  const auto features = sketcher.features(text, scratch);
  prepared.features.assign(features.begin(), features.end());
  return prepared;
}

void judge(const Recipe& recipe, std::string_view text_a, std::string_view text_b, Threshold threshold, uint32_t max_distance,
           PresetVerdict& verdict) {
  const Sketcher sketcher(recipe);
  const PresetText a = prepare_for_preset(sketcher, text_a);
  const PresetText b = prepare_for_preset(sketcher, text_b);
  const Overlap overlap{.common = count_common(a.features, b.features),
                        .size_a = static_cast<uint32_t>(a.features.size()),
                        .size_b = static_cast<uint32_t>(b.features.size())};
  verdict.exact_copy = a.result.exact == b.result.exact;
  verdict.too_short = a.result.too_short || b.result.too_short;
  verdict.jaccard = overlap.jaccard();
  bool near = threshold.met_by(overlap);
  if (recipe.fingerprints()) {
    verdict.bits = recipe.bits;
    if (!verdict.too_short) verdict.distance = hamming_distance(Sketcher::fingerprint(a.sketch), Sketcher::fingerprint(b.sketch));
    near = verdict.distance <= max_distance;
  }
  verdict.match = verdict.exact_copy || (!verdict.too_short && near);
}

}  // namespace

double Comparison::containment_of_a() const noexcept {
  return a.features == 0 ? 1 : static_cast<double>(overlap.common) / a.features;
}
double Comparison::containment_of_b() const noexcept {
  return b.features == 0 ? 1 : static_cast<double>(overlap.common) / b.features;
}
Comparison::Contained Comparison::contained(const Options& options) const noexcept {
  if (exact_copy || !measurable()) return {.a_in_b = exact_copy, .b_in_a = exact_copy};
  const ContainmentRule rule{.threshold = options.threshold, .min_features = options.min_contained, .min_jaccard = options.min_jaccard};
  const auto contains = [&](uint32_t size, uint32_t container) {
    return rule.possible(size, container) && overlap.common >= rule.required(size, container);
  };
  return {.a_in_b = contains(a.features, b.features), .b_in_a = contains(b.features, a.features)};
}
bool Comparison::matches_by_weights(Verify verify, Threshold threshold) const noexcept {
  return exact_copy || (measurable() && std::lround(weighted_similarity(verify) * Threshold::kOne) >= threshold.millionths());
}
double Comparison::cosine() const noexcept {
  if (a.features == 0 || b.features == 0) return a.features == b.features ? 1 : 0;
  return overlap.common / std::sqrt(static_cast<double>(a.features) * static_cast<double>(b.features));
}

Comparison compare_texts(const Sketcher& sketcher, std::string_view text_a, std::string_view text_b, size_t max_passages, size_t max_words,
                         const ComparedWeights& weights) {
  Prepared a = prepare(sketcher, text_a);
  Prepared b = prepare(sketcher, text_b);
  const bool weighs = !sketcher.recipe().fingerprints() && weights.of_run != nullptr;
  if (weighs) {
    weigh(sketcher, text_a, weights, a);
    weigh(sketcher, text_b, weights, b);
  }
  Comparison result;
  result.a = a.side;
  result.b = b.side;
  result.exact_copy = a.exact == b.exact;
  result.numbers_differ = a.feature_key != b.feature_key;
  result.overlap = {.common = count_common(a.features, b.features), .size_a = a.side.features, .size_b = b.side.features};
  if (sketcher.recipe().fingerprints()) {
    result.bits = sketcher.recipe().bits;
    compare_fingerprints(a, b, max_words, result);
    compare_weights(a, b, result);
  } else {
    result.lanes = sketcher.recipe().lanes;
    if (weighs) compare_weights(a, b, result);
  }
  if (result.measurable() && result.lanes > 0) {
    result.equal_lanes = equal_lanes(a.sketch, b.sketch);
    result.estimate = static_cast<double>(result.equal_lanes) / result.lanes;
    const Interval interval = wilson_95(result.equal_lanes, result.lanes);
    result.estimate_low = interval.low;
    result.estimate_high = interval.high;
  }
  result.passages_skipped = std::max(a.shingles.size(), b.shingles.size()) > kMaxPassageShingles;
  if (!result.passages_skipped && result.overlap.common > 0) {
    for (const Passage& passage : longest_common_passages(a.shingles, b.shingles, max_passages)) {
      result.passages.push_back(describe(sketcher, a, passage));
    }
  }
  return result;
}

std::vector<PresetVerdict> preset_verdicts(std::string_view a, std::string_view b, Threshold threshold, uint32_t max_distance) {
  std::vector<PresetVerdict> verdicts;
  for (const std::string_view name : Recipe::preset_names()) {
    check_stop();
    PresetVerdict& verdict = verdicts.emplace_back();
    verdict.name = name;
    try {
      const Recipe recipe = Recipe::load(verdict.name);
      if (recipe.needs_fitting()) {
        verdict.problem = "weighs by the IDF of a corpus, which two texts do not have";
      } else {
        judge(recipe, a, b, threshold, max_distance, verdict);
      }
    } catch (const Error& error) {
      verdict.problem = error.what();  // its dictionary is missing
    }
  }
  return verdicts;
}

}  // namespace neardup
