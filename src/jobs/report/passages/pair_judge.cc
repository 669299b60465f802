#include "jobs/report/passages/pair_judge.h"

#include <optional>
#include <span>
#include <vector>

#include "dedup/sketchers.h"
#include "features/cosine.h"
#include "features/feature_set.h"
#include "features/feature_weigher.h"
#include "features/weighted_jaccard.h"
#include "neardup/error.h"
#include "sketch/sketcher_access.h"

namespace neardup {
namespace {

// The data of one text that any measure needs.
struct JudgedText {
  Sketcher::Result result;
  std::vector<uint32_t> sketch;
  std::vector<uint64_t> features;
  std::vector<uint64_t> weights;  // of weighted features

  JudgedText(const Sketcher& sketcher, const RunWeights* run_weights, Judge judge, std::string_view text,
             std::optional<std::string_view> block)
      : sketch(sketcher.sketch_words()) {
    Sketcher::Scratch scratch;
    if (block) SketcherAccess::enter_block(sketcher, *block, scratch);
    result = sketcher.sketch(text, scratch, sketch);
    if (judge == Judge::kCosine || judge == Judge::kWeightedJaccard) {
      Weighter::Scratch weigher_scratch;
      std::vector<WeightedFeature> weighted;
      if (run_weights == nullptr) {
        const auto of_recipe = sketcher.weighted_features(text, scratch);
        weighted.assign(of_recipe.begin(), of_recipe.end());
      } else {
        run_weights->get().weigh(SketcherAccess::occurrences(sketcher, text, scratch), weigher_scratch, weighted);
      }
      for (const WeightedFeature& feature : weighted) {
        features.push_back(feature.hash);
        weights.push_back(static_cast<uint64_t>(feature.weight));
      }
    } else if (judge != Judge::kHamming) {
      const auto of_text = sketcher.features(text, scratch);
      features.assign(of_text.begin(), of_text.end());
    }
  }
  [[nodiscard]] uint32_t size() const noexcept { return static_cast<uint32_t>(features.size()); }
};

}  // namespace

PairJudge::PairJudge(const Options& options, const std::string& directory)
    : threshold_(options.threshold), blocks_(!options.block_on.empty()) {
  const RunRecipes recipes(options);
  strategy_ = choose_pair_strategy(options, recipes.first, recipes.also());
  sketcher_ = std::make_unique<const RunSketcher>(directory, recipes.first);
  if (!strategy_.counts_features()) return;
  if (directory.empty()) {
    throw Error(ErrorCode::kUsage, "the run weighs features by the IDF of the corpus itself, which only its checkpoint directory has");
  }
  weights_ = std::make_unique<const RunWeights>(directory, recipes.first);
}

bool PairJudge::matches(std::string_view removed, std::string_view keeper, std::string_view block) const {
  const std::optional<std::string_view> entered = blocks_ ? std::optional(block) : std::nullopt;
  const JudgedText a(sketcher_->get(), weights_.get(), strategy_.judge, removed, entered);
  const JudgedText b(sketcher_->get(), weights_.get(), strategy_.judge, keeper, entered);
  if (a.result.exact == b.result.exact) return true;
  if (a.result.too_short || b.result.too_short) return false;
  // Fingerprints alone are found by their distance, whatever judges them then.
  if (strategy_.rule.bits != 0 && strategy_.rule.lsh.bands == 0 &&
      hamming_distance(Sketcher::fingerprint(a.sketch), Sketcher::fingerprint(b.sketch)) > strategy_.rule.max_distance) {
    return false;
  }
  switch (strategy_.judge) {
    case Judge::kHamming:
      return true;
    case Judge::kCosine: {
      const uint32_t cosine = cosine_millionths({a.features, a.weights}, {b.features, b.weights});
      return cosine >= threshold_.millionths();
    }
    case Judge::kWeightedJaccard:
      return weighted_jaccard_millionths({a.features, a.weights}, {b.features, b.weights}) >= threshold_.millionths();
    case Judge::kContainment:
      return strategy_.containment.possible(a.size(), b.size()) &&
             count_common(a.features, b.features) >= strategy_.containment.required(a.size(), b.size());
    case Judge::kJaccard:
      break;
  }
  return threshold_.met_by({.common = count_common(a.features, b.features), .size_a = a.size(), .size_b = b.size()});
}

}  // namespace neardup
