// PairJudge: whether a run would remove one text for another, by the measure and the recipe of the run.
//
// Immutable; shared by threads. Candidates do not matter here: the two are compared as if the search had found them. Where the run did not
// verify its candidates (verify = false), the Jaccard similarity of the features decides.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dedup/match/candidates/pair_strategy.h"
#include "neardup/options.h"
#include "neardup/recipe.h"
#include "neardup/tools/run_sketcher.h"
#include "neardup/tools/run_weights.h"

namespace neardup {

class PairJudge {
 public:
  /// `directory`: of the run, with the table of a recipe that weighs by the IDF of its corpus. Throws what RunSketcher and RunWeights
  /// throw, and Error{kUsage} for a run that weighs features without a directory.
  PairJudge(const Options& options, const std::string& directory);

  /// True for exact copies, and for texts with features that match. Texts are at most 256 MiB. `block`: Record::block of both, which is
  /// part of the features whose weights the run counted.
  [[nodiscard]] bool matches(std::string_view removed, std::string_view keeper, std::string_view block = {}) const;
  [[nodiscard]] const PairStrategy& strategy() const noexcept { return strategy_; }
  [[nodiscard]] const Recipe& recipe() const noexcept { return sketcher_->get().recipe(); }

 private:
  Threshold threshold_;
  bool blocks_;  // Options::block_on
  PairStrategy strategy_;
  std::unique_ptr<const RunSketcher> sketcher_;
  std::unique_ptr<const RunWeights> weights_;  // null unless the run counted features
};

}  // namespace neardup
