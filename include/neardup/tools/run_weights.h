// RunWeights: the weights by which a run judged the features of a MinHash recipe (--verify weighted-jaccard, cosine): occurrences in the
// text times the IDF in the corpus of that run.
//
// Immutable; shared by threads. Implemented in src/dedup/record/run_weights.cc.
#pragma once

#include <memory>
#include <string>

#include "neardup/recipe.h"

namespace neardup {

class DocumentFrequencyTable;
class FeatureWeigher;

class RunWeights {
 public:
  /// `directory`: the checkpoint directory of the run; `recipe`: of the run, as run_recipe() gives it. Throws Error{kInput} when the
  /// directory has no weights of this recipe.
  RunWeights(const std::string& directory, const Recipe& recipe);
  ~RunWeights();

  [[nodiscard]] const FeatureWeigher& get() const noexcept { return *weigher_; }

 private:
  std::unique_ptr<const DocumentFrequencyTable> table_;
  std::unique_ptr<const FeatureWeigher> weigher_;
};

}  // namespace neardup
