#include "dedup/rethreshold.h"

#include <fmt/format.h>

#include "dedup/match/candidates/pair_strategy.h"
#include "dedup/options/option_values.h"
#include "dedup/sketchers.h"
#include "neardup/error.h"

namespace neardup {
namespace {

PairStrategy strategy_of(const Options& options) {
  const RunRecipes recipes(options);
  return choose_pair_strategy(options, recipes.first, recipes.also());
}

}  // namespace

Options rethresholded(const Options& stored, Threshold threshold, const std::string& directory) {
  const PairStrategy strategy = strategy_of(stored);
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::kUsage, fmt::format("rethreshold: the run in '{}' {}", directory, why));
  };
  if (strategy.judge == Judge::kHamming) refuse("judges fingerprints by their distance; a threshold decides nothing there");
  if (strategy.unverified) refuse("verifies nothing (--verify false); a threshold decides nothing there");
  if (strategy.judge == Judge::kContainment || strategy.rule.all_pairs()) {
    refuse(fmt::format("has no sketches, as it {}; start a new run with --threshold {}",
                       strategy.judge == Judge::kContainment ? "measures containment" : "compares all pairs (--search exact)",
                       format_fraction(threshold)));
  }
  if (threshold.millionths() < stored.threshold.millionths()) {
    refuse(fmt::format("has the threshold {}, and its bands may miss pairs below it; start a new run with --threshold {}",
                       format_fraction(stored.threshold), format_fraction(threshold)));
  }
  Options options = stored;
  options.threshold = threshold;
  options.bands = strategy.rule.lsh.bands;
  options.rows_per_band = strategy.rule.lsh.rows;
  return options;
}

// At thresholds near 0 the signature filter has no use, and stores nothing.
bool has_same_sketches(const Options& stored, const Options& now) {
  return strategy_of(stored).rule.filter.row_bytes() == strategy_of(now).rule.filter.row_bytes();
}

}  // namespace neardup
