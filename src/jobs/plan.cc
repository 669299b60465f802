#include "neardup/tools/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/parallel.h"
#include "dedup/corpus/keep_policy.h"
#include "dedup/match/candidates/pair_strategy.h"
#include "dedup/memory_plan.h"
#include "dedup/run_context.h"
#include "neardup/error.h"
#include "neardup/tools/readable.h"
#include "neardup/tools/run_recipe.h"

namespace neardup {
namespace {

// P[Binomial(trials, p) <= max_successes].
double binomial_at_most(uint32_t trials, double p, uint32_t max_successes) noexcept {
  if (p <= 0 || max_successes >= trials) return 1;
  double sum = 0;
  double choices = 0;  // the logarithm of trials over i
  for (uint32_t i = 0; i <= max_successes; ++i) {
    sum += std::exp(choices + i * std::log(p) + (trials - i) * std::log1p(-p));
    choices += std::log(static_cast<double>(trials - i) / (i + 1));
  }
  return std::min(sum, 1.0);
}

// The probability that two fingerprints differ in a bit.
double differing_share(double s) noexcept {
  return std::acos(std::clamp(2 * s / (1 + s), 0.0, 1.0)) / std::numbers::pi;
}

}  // namespace

double RunPlan::miss_probability(double s) const noexcept {
  return bands == 0 ? 0 : LshPlan{bands, rows_per_band}.miss_probability(s);
}

RunPlan plan_run(const Options& options) {
  check_slices(options);
  RunPlan plan{.recipe = run_recipe(options),
               .threads = resolve_threads(options.threads),
               .memory_bytes = MemoryPlan(options).total,
               .rank_field = KeepPolicy::parse(options.keep).field()};
  const std::optional<Recipe> also = run_also(options);
  const PairStrategy strategy = choose_pair_strategy(options, plan.recipe, also ? &*also : nullptr);
  plan.measure = measure_name(strategy);
  plan.bands = strategy.rule.lsh.bands;
  plan.rows_per_band = strategy.rule.lsh.rows;
  if (!strategy.containment_sample.all()) {
    plan.sample_features = strategy.containment_sample.features;
    plan.sample_certain = strategy.containment_sample.certain_up_to(options.threshold);
    plan.sample_miss = strategy.containment_sample.miss_probability(options.threshold);
  }
  plan.fingerprint_bits = strategy.rule.bits;
  plan.max_distance = strategy.rule.max_distance;
  return plan;
}

std::string plan_warning(const Options& options, const RunPlan& plan) {
  const double promised = options.miss_probability.value();
  const double missed = plan.miss_probability(options.threshold.value());
  if (plan.bands == 0 || options.bands != 0 || missed <= promised) return {};
  const std::string_view at =
      options.weighs_features() ? "pairs whose Jaccard similarity without weights is the threshold" : "the pairs at exactly the threshold";
  const Recipe signatures = plan.recipe.fingerprints() ? run_also(options).value() : plan.recipe;
  return fmt::format(
      "the {} permutations (lanes) of recipe '{}' do not suffice for threshold {} and miss probability {}: the search is "
      "expected to miss {} of {}; a recipe with more permutations, or search 'exact', "
      "misses fewer",
      signatures.lanes, signatures.name, options.threshold.value(), promised, percent(missed), at);
}

double fingerprint_recall(uint32_t bits, uint32_t max_distance, double s) noexcept {
  return binomial_at_most(bits, differing_share(s), max_distance);
}

double fingerprint_chance(uint32_t bits, uint32_t max_distance) noexcept {
  return binomial_at_most(bits, 0.5, max_distance);
}

double fingerprint_distance(uint32_t bits, double s) noexcept {
  return bits * differing_share(s);
}

}  // namespace neardup
