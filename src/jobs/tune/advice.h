// The advice of tune: from findings about a corpus to a recipe, a threshold, a minimum length and cleaning, with reasons.
//
// A table of rules (advice.cc), tried in order: the first that applies decides about the recipe and the range of the threshold. Inside the
// range, the threshold lies where groups hold together best and pairs are fewest (valley.h). Pure functions of the findings.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "jobs/tune/sample_pairs.h"
#include "jobs/tune/valley.h"
#include "neardup/tools/tune.h"

namespace neardup {

/// What rules look at.
struct Finding {
  Finding(const TuneCorpus& corpus_found, const TunePairs& pairs_found) : corpus(corpus_found), pairs(pairs_found) {}

  const TuneCorpus& corpus;
  const TunePairs& pairs;

  /// Share of the examined pairs whose changes are mostly of this kind.
  [[nodiscard]] double kind(PairKind wanted) const noexcept { return pairs.kinds[static_cast<size_t>(wanted)]; }
  [[nodiscard]] bool mostly_han() const noexcept { return corpus.scripts[TuneCorpus::kHan] + corpus.scripts[TuneCorpus::kKana] > 0.5; }
};

/// The pairs of the sample under the advised recipe.
struct PairProfile {
  PairDensities pairs{};
  PairCohesion cohesion{};
};
PairProfile profile_of(const SamplePairs& pairs);

struct RecipeRule {
  std::string_view name;  ///< what was found, for tests
  bool (*applies)(const Finding&);
  const char* recipe;
  double lowest;  ///< of the threshold
  double usual;   ///< where no valley tells
  double highest;
  std::string (*reason)(const Finding&);  ///< for the recipe
  std::string_view threshold_reason;      ///< for the range
  bool chains = false;                    ///< true copies make chains, too, so cohesion says nothing about the threshold
};

/// The rules in their order; the last one always applies.
const RecipeRule& choose_recipe(const Finding& finding);

/// `clean`: how the texts of the findings were cleaned.
TuneAdvice make_advice(const Finding& finding, const RecipeRule& rule, const std::string& clean, const PairProfile& profile);

}  // namespace neardup
