#include "neardup/plan.h"

#include <fmt/format.h>

#include "base/parallel.h"
#include "dedup/engine.h"
#include "dedup/keep_policy.h"
#include "dedup/lsh_choice.h"
#include "neardup/error.h"

namespace neardup {

LshPlan choose_lsh_plan(const Options& options, const Recipe& recipe) {
  if (options.search == Search::kExact) {
    if (!options.verify) throw Error(ErrorCode::kUsage, "search 'exact' verifies by its nature; it cannot go with verify off");
    return {};
  }
  if ((options.bands == 0) != (options.rows_per_band == 0))
    throw Error(ErrorCode::kUsage, "bands and rows_per_band are given together or not at all");
  if (options.bands == 0) return plan_lsh(options.threshold, options.miss_probability, recipe.lanes);
  if (uint64_t{options.bands} * options.rows_per_band > recipe.lanes) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} bands of {} rows need {} lanes; recipe '{}' has {}", options.bands, options.rows_per_band,
                            uint64_t{options.bands} * options.rows_per_band, recipe.name, recipe.lanes));
  }
  return {options.bands, options.rows_per_band};
}

double RunPlan::miss_probability(double s) const noexcept {
  return bands == 0 ? 0 : LshPlan{bands, rows_per_band}.miss_probability(s);
}

RunPlan plan_run(const Options& options) {
  RunPlan plan{.recipe = Recipe::load(options.recipe),
               .threads = resolve_threads(options.threads),
               .memory_bytes = MemoryPlan(options).total,
               .rank_field = KeepPolicy::parse(options.keep).field()};
  const LshPlan lsh = choose_lsh_plan(options, plan.recipe);
  plan.bands = lsh.bands;
  plan.rows_per_band = lsh.rows;
  return plan;
}

}  // namespace neardup
