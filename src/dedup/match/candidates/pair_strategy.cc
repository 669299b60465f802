#include "dedup/match/candidates/pair_strategy.h"

#include <fmt/format.h>

#include "dedup/corpus/keep_policy.h"
#include "neardup/error.h"

namespace neardup {

namespace {

LshPlan plan_bands(const Options& options, const Recipe& recipe) {
  if ((options.bands == 0) != (options.rows_per_band == 0))
    throw Error(ErrorCode::kUsage, options.bands == 0
                                       ? fmt::format("rows_per_band: {} needs the number of bands, too", options.rows_per_band)
                                       : fmt::format("bands: {} needs the number of rows per band, too", options.bands));
  if (options.bands == 0) return plan_lsh(options.threshold, options.miss_probability, recipe.lanes);
  if (uint64_t{options.bands} * options.rows_per_band > recipe.lanes) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} bands of {} rows need {} lanes; recipe '{}' has {}", options.bands, options.rows_per_band,
                            uint64_t{options.bands} * options.rows_per_band, recipe.name, recipe.lanes));
  }
  return {options.bands, options.rows_per_band};
}

Judge choose_judge(const Options& options, const Recipe& recipe, bool also) {
  if (options.verify == Verify::kJaccard) return Judge::kJaccard;
  if (options.weighs_features()) {
    if (also) {
      throw Error(ErrorCode::kUsage, fmt::format("verify '{}' requires a single recipe; recipe '{}' is combined with another one",
                                                 options.verify == Verify::kCosine ? "cosine" : "weighted-jaccard", recipe.name));
    }
    return options.verify == Verify::kCosine ? Judge::kCosine : Judge::kWeightedJaccard;
  }
  return recipe.fingerprints() && !also ? Judge::kHamming : Judge::kJaccard;
}

// Containment is a relation of feature sets, and not symmetric: only the scan rule over a join of all documents gives it a
// meaning.
PairStrategy contained_in(const Options& options, const Recipe& recipe, bool also) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorCode::kUsage, "measure 'containment' " + why); };
  if (recipe.fingerprints())
    refuse(fmt::format("compares features, and recipe '{}' makes fingerprints; take a MinHash recipe, such as words-5", recipe.name));
  if (also) refuse("looks at all pairs and cannot be combined with also");
  if (options.verify != Verify::kTrue) refuse("always verifies by the features; verify must be 'true'");
  if (options.cluster == Cluster::kComponents)
    refuse("is directional: a template would connect all texts that contain it; cluster must be 'scan'");
  const KeepPolicy keep = KeepPolicy::parse(options.keep);
  if (keep.prefers_shorter()) {
    refuse(
        fmt::format("removes a text only after its container was kept, which keep '{}' ranks later; take 'auto' (most features first) "
                    "or 'longest'",
                    options.keep));
  }
  return {.rule = {},
          .judge = Judge::kContainment,
          .unverified = false,
          .containment = {.threshold = options.threshold, .min_features = options.min_contained, .min_jaccard = options.min_jaccard},
          .containment_sample = options.search == Search::kExact ? ContainmentSample{} : ContainmentSample::plan(options.threshold),
          .largest_first = keep.is_auto()};
}

}  // namespace

std::string_view measure_name(const PairStrategy& strategy) noexcept {
  if (strategy.unverified) return "none";
  switch (strategy.judge) {
    case Judge::kHamming:
      return "distance";
    case Judge::kCosine:
      return "cosine";
    case Judge::kWeightedJaccard:
      return "weighted-jaccard";
    case Judge::kContainment:
      return "containment";
    case Judge::kJaccard:
      break;
  }
  return "jaccard";
}

PairStrategy choose_pair_strategy(const Options& options, const Recipe& recipe, const Recipe* also) {
  if (also != nullptr && also->fingerprints() == recipe.fingerprints()) {
    throw Error(ErrorCode::kUsage, fmt::format("also: recipe '{}' must be of the other kind than '{}', which is a {}", also->name,
                                               recipe.name, recipe.fingerprints() ? "fingerprint" : "MinHash"));
  }
  if (options.search == Search::kHamming && !recipe.fingerprints()) {
    throw Error(ErrorCode::kUsage, fmt::format("search 'hamming' is for recipes of fingerprints; recipe '{}' is a MinHash, for which there "
                                               "are 'lsh' and 'exact'",
                                               recipe.name));
  }
  if (!options.block_on.empty() && (recipe.fingerprints() || also != nullptr)) {
    throw Error(ErrorCode::kUsage, fmt::format("block_on: requires a single recipe of MinHash, which compares features; recipe '{}' {}",
                                               recipe.name, also != nullptr ? "is combined with also" : "makes fingerprints"));
  }
  if (options.measure == Measure::kContainment) return contained_in(options, recipe, also != nullptr);
  PairStrategy strategy{.rule = {}, .judge = choose_judge(options, recipe, also != nullptr)};
  if (options.search == Search::kExact && strategy.judge != Judge::kHamming) {
    if (options.verify == Verify::kFalse)
      throw Error(ErrorCode::kUsage, "search 'exact' always verifies; it cannot be combined with verify 'false'");
    if (also != nullptr) throw Error(ErrorCode::kUsage, "search 'exact' looks at all pairs and cannot be combined with also");
    if (strategy.weighted() && recipe.fingerprints()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("search 'exact' compares all pairs by features; with verify '{}' it is for MinHash recipes, "
                              "and recipe '{}' makes fingerprints",
                              measure_name(strategy), recipe.name));
    }
    return strategy;
  }
  const Recipe* const signatures = !recipe.fingerprints() ? &recipe : also;
  const Recipe* const codes = recipe.fingerprints() ? &recipe : also;
  if (signatures != nullptr) {
    strategy.rule.lsh = plan_bands(options, *signatures);
    // The filter estimates the Jaccard similarity of the recipe's own features, so that must be what judges.
    if (options.verify != Verify::kFalse && signatures == &recipe && !strategy.weighted())
      strategy.rule.filter = SignatureFilter(recipe.lanes, options.threshold);
  }
  if (codes != nullptr) {
    if (options.max_distance > codes->bits) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("max_distance: {} is above the {} bits of recipe '{}'", options.max_distance, codes->bits, codes->name));
    }
    strategy.rule.bits = codes->bits;
    strategy.rule.max_distance = options.max_distance;
  }
  strategy.unverified = options.verify == Verify::kFalse && !strategy.rule.both() && strategy.judge == Judge::kJaccard;
  if (options.verify == Verify::kFalse && strategy.rule.both()) throw Error(ErrorCode::kUsage, "also: cannot be combined with verify off");
  return strategy;
}

}  // namespace neardup
