// plan_run: what a run with these options would do, without running it.
//
//   const neardup::RunPlan plan = neardup::plan_run(options);
//   std::printf("%u bands of %u rows\n", plan.bands, plan.rows_per_band);
#pragma once

#include <cstdint>
#include <string>

#include "neardup/options.h"
#include "neardup/recipe.h"

namespace neardup {

struct RunPlan {
  Recipe recipe;
  std::string measure{};  ///< Summary::measure
  uint32_t bands = 0;     ///< 0 under Search::kExact, and where fingerprints alone are compared
  uint32_t rows_per_band = 0;
  uint32_t fingerprint_bits = 0;  ///< 0: no fingerprints are compared
  uint32_t max_distance = 0;      ///< of fingerprints, inclusive
  /// Under Measure::kContainment and Search::kLsh: the number of features of a text by which its containers are found; 0 otherwise.
  uint32_t sample_features = 0;
  uint32_t sample_certain = 0;  ///< no container is missed of a text with at most so many features
  double sample_miss = 0;       ///< of a larger one: the highest probability to miss a container at exactly the threshold
  uint32_t threads = 1;
  uint64_t memory_bytes = 0;
  std::string rank_field;  ///< the FIELD of the keep policies max:FIELD and min:FIELD, or empty; see SourceOptions::rank_field

  /// The probability that the bands miss a pair with Jaccard similarity `s`; 0 without bands.
  [[nodiscard]] double miss_probability(double s) const noexcept;
};

/// Throws Error{kUsage} for an unknown recipe and for options that contradict each other.
RunPlan plan_run(const Options& options);

/// A warning if the planned bands miss more than Options::miss_probability, because the recipe has too few permutations; otherwise empty.
std::string plan_warning(const Options& options, const RunPlan& plan);

/// The probability that two texts get fingerprints that differ in at most `max_distance` bits: that of a binomial distribution of `bits`
/// trials with acos(2 s / (1 + s)) / pi. `s` is the Jaccard similarity of feature sets of equal size and equal weights.
double fingerprint_recall(uint32_t bits, uint32_t max_distance, double s) noexcept;
/// The same for two random fingerprints: the probability of a false candidate.
double fingerprint_chance(uint32_t bits, uint32_t max_distance) noexcept;
/// The mean number of different bits.
double fingerprint_distance(uint32_t bits, double s) noexcept;

}  // namespace neardup
