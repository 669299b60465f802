// PairJudge: whether a run would remove one text for another, by the measure and the recipe of the run.
//
// Immutable; shared by threads. Candidates do not matter here: the two are compared as if the search had found them. Where the run did not
// verify its candidates (verify = false), the Jaccard similarity of the features decides.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dedup/match/candidates/pair_strategy.h"
#include "features/document_frequency.h"
#include "features/feature_weigher.h"
#include "neardup/options.h"
#include "neardup/recipe.h"
#include "neardup/tools/run_sketcher.h"

namespace neardup {

class PairJudge {
 public:
  /// `directory`: of the run, with the table of a recipe that weighs by the IDF of its corpus. Throws what RunSketcher throws.
  PairJudge(const Options& options, const std::string& directory);

  /// True for exact copies, and for texts with features that match. Texts are at most 256 MiB.
  [[nodiscard]] bool matches(std::string_view removed, std::string_view keeper) const;
  [[nodiscard]] const PairStrategy& strategy() const noexcept { return strategy_; }
  [[nodiscard]] const Recipe& recipe() const noexcept { return sketcher_->get().recipe(); }

 private:
  Threshold threshold_;
  PairStrategy strategy_;
  std::unique_ptr<const RunSketcher> sketcher_;
  std::unique_ptr<const DocumentFrequencyTable> table_;
  std::unique_ptr<const FeatureWeigher> weigher_;  // null unless the run counted features
};

}  // namespace neardup
