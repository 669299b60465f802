#include "neardup/tools/plan.h"

#include <fmt/format.h>

#include <optional>

#include "base/parallel.h"
#include "dedup/corpus/keep_policy.h"
#include "dedup/engine.h"
#include "dedup/match/pair_choice.h"
#include "dedup/slice_options.h"
#include "neardup/error.h"

namespace neardup {

double RunPlan::miss_probability(double s) const noexcept {
  return bands == 0 ? 0 : LshPlan{bands, rows_per_band}.miss_probability(s);
}

RunPlan plan_run(const Options& options) {
  check_slices(options);
  RunPlan plan{.recipe = Recipe::load(options.recipe),
               .threads = resolve_threads(options.threads),
               .memory_bytes = MemoryPlan(options).total,
               .rank_field = KeepPolicy::parse(options.keep).field()};
  const std::optional<Recipe> also = options.also.empty() ? std::nullopt : std::optional(Recipe::load(options.also));
  const PairChoice choice = choose_pairs(options, plan.recipe, also ? &*also : nullptr);
  plan.bands = choice.rule.lsh.bands;
  plan.rows_per_band = choice.rule.lsh.rows;
  plan.fingerprint_bits = choice.rule.bits;
  plan.max_distance = choice.rule.max_distance;
  return plan;
}

std::string plan_warning(const Options& options, const RunPlan& plan) {
  const double promised = options.miss_probability.value();
  const double missed = plan.miss_probability(options.threshold.value());
  if (plan.bands == 0 || options.bands != 0 || missed <= promised) return {};
  const Recipe signatures = plan.recipe.fingerprints() ? Recipe::load(options.also) : plan.recipe;
  return fmt::format(
      "the {} permutations (lanes) of recipe '{}' do not suffice for threshold {} and miss probability {}: the search is "
      "expected to miss {:.2g} % of the pairs at exactly the threshold; a recipe with more permutations, or search 'exact', "
      "misses fewer",
      signatures.lanes, signatures.name, options.threshold.value(), promised, 100 * missed);
}

}  // namespace neardup
