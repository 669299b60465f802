#include "jobs/report/passages/pair_judge.h"

#include <fmt/format.h>

#include <span>
#include <vector>

#include "dedup/sketchers.h"
#include "features/cosine.h"
#include "features/feature_set.h"
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

  JudgedText(const Sketcher& sketcher, const FeatureWeigher* weigher, Judge judge, std::string_view text)
      : sketch(sketcher.sketch_words()) {
    Sketcher::Scratch scratch;
    result = sketcher.sketch(text, scratch, sketch);
    if (judge == Judge::kCosine || judge == Judge::kWeightedJaccard) {
      Weighter::Scratch weigher_scratch;
      std::vector<WeightedFeature> weighted;
      if (weigher == nullptr) {
        const auto of_recipe = sketcher.weighted_features(text, scratch);
        weighted.assign(of_recipe.begin(), of_recipe.end());
      } else {
        weigher->weigh(SketcherAccess::occurrences(sketcher, text, scratch), weigher_scratch, weighted);
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

PairJudge::PairJudge(const Options& options, const std::string& directory) : threshold_(options.threshold) {
  const RunRecipes recipes(options);
  strategy_ = choose_pair_strategy(options, recipes.first, recipes.also());
  sketcher_ = std::make_unique<const RunSketcher>(directory, recipes.first);
  if (!strategy_.counts_features()) return;
  if (directory.empty()) {
    throw Error(ErrorCode::kUsage, "the run weighs features by the IDF of the corpus itself, which only its checkpoint directory has");
  }
  const std::string path = directory + "/" + std::string(kFeatureTable);
  table_ = load_features(recipes.first, path);
  if (!table_) throw Error(ErrorCode::kInput, fmt::format("'{}', the weights of the run, is missing or damaged", path));
  weigher_ = std::make_unique<const FeatureWeigher>(*table_);
}

bool PairJudge::matches(std::string_view removed, std::string_view keeper) const {
  const JudgedText a(sketcher_->get(), weigher_.get(), strategy_.judge, removed);
  const JudgedText b(sketcher_->get(), weigher_.get(), strategy_.judge, keeper);
  if (a.result.exact == b.result.exact) return true;
  if (a.result.too_short || b.result.too_short) return false;
  switch (strategy_.judge) {
    case Judge::kHamming:
      return hamming_distance(Sketcher::fingerprint(a.sketch), Sketcher::fingerprint(b.sketch)) <= strategy_.rule.max_distance;
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
