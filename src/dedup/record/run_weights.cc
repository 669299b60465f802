#include "neardup/tools/run_weights.h"

#include <fmt/format.h>

#include "dedup/fit/corpus_frequencies.h"
#include "features/feature_weigher.h"
#include "neardup/error.h"

namespace neardup {

RunWeights::RunWeights(const std::string& directory, const Recipe& recipe) {
  const std::string path = directory + "/" + std::string(kFeatureTable);
  table_ = load_features(recipe, path);
  if (!table_) {
    throw Error(ErrorCode::kInput,
                fmt::format("'{}', the weights of the features of recipe '{}' in the run, is missing or damaged", path, recipe.name));
  }
  weigher_ = std::make_unique<const FeatureWeigher>(*table_);
}

RunWeights::~RunWeights() = default;

}  // namespace neardup
