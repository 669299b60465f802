// choose_pairs: how a run finds and judges pairs, out of options and recipes.
#pragma once

#include "dedup/match/matcher.h"
#include "neardup/options.h"
#include "neardup/recipe.h"

namespace neardup {

struct PairChoice {
  PairRule rule;
  Judge judge = Judge::kJaccard;
  bool unverified = false;  ///< to share a band is a match
};

/// `also` is null without a second recipe. Throws Error{kUsage} for options that contradict each other or the recipes.
PairChoice choose_pairs(const Options& options, const Recipe& recipe, const Recipe* also);

}  // namespace neardup
