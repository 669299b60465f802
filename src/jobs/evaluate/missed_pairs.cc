#include "neardup/tools/missed_pairs.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/lsh/lsh_plan.h"

namespace neardup {
namespace {

constexpr double kNormal975 = 1.959964;  // the quantile of a two-sided interval of 95 %
constexpr double kCommonError = 0.1;  // of the estimate, one standard deviation: texts in a common language share features, and so the luck
                                      // of their hashes, across all pairs (measured: docs/adr/0035-missed-pairs.md)
constexpr double kLeastFound = 1e-6;  // probability: a pair that another document brought together may have one of almost 0
constexpr double kMaxSkew = 2;        // margins over the estimate, beyond which the upper margin grows no further

}  // namespace

struct MissedPairsEstimator::State {
  struct Unit {  // documents that are found and missed together; their sums are at the root
    uint32_t parent;
    double deviations = 0;  // standard deviations of their pairs
  };
  LshPlan plan;
  double same_unit;  // the similarity from which two documents are
  uint64_t found = 0;
  double missed = 0;
  double squares = 0;  // of the deviations of pairs of two units: of independent pairs, the variance
  std::unordered_map<uint64_t, uint32_t> numbers;
  std::vector<Unit> units;

  uint32_t number(uint64_t document) {
    const auto [at, added] = numbers.try_emplace(document, static_cast<uint32_t>(units.size()));
    if (added) units.push_back({at->second});
    return root(at->second);
  }
  uint32_t root(uint32_t unit) {
    for (; units[unit].parent != unit; unit = units[unit].parent) units[unit].parent = units[units[unit].parent].parent;
    return unit;
  }
};

// At a similarity of 2^(-1/rows), a band of the one document is that of the other more often than not.
MissedPairsEstimator::MissedPairsEstimator(uint32_t bands, uint32_t rows_per_band)
    : state_(std::make_unique<State>(State{.plan = {bands, rows_per_band},
                                           .same_unit = rows_per_band == 0 ? 1 : std::exp2(-1.0 / rows_per_band),
                                           .numbers = {},
                                           .units = {}})) {}

MissedPairsEstimator::~MissedPairsEstimator() = default;

void MissedPairsEstimator::add(const FoundPair& pair) {
  ++state_->found;
  if (state_->plan.bands == 0) return;
  const uint32_t a = state_->number(pair.a);
  const uint32_t b = state_->number(pair.b);
  // The error of the estimate is the sum of (found ? 1/p : 0) - 1 over all pairs, of which each has the variance (1-p) / p; a found pair
  // represents 1/p of them.
  const double miss = state_->plan.miss_probability(pair.similarity);
  const double find = std::max(1 - miss, kLeastFound);
  const double deviation = std::sqrt(miss) / find;
  state_->missed += miss / find;
  state_->units[a].deviations += deviation;
  if (pair.similarity < state_->same_unit) {
    state_->squares += deviation * deviation;
    state_->units[b].deviations += deviation;
  } else if (a != b) {
    state_->units[b].parent = a;
    state_->units[a].deviations += std::exchange(state_->units[b].deviations, 0);
  }
}

MissedPairs MissedPairsEstimator::estimate() const {
  // Pairs of one unit are fully correlated, others are independent: the sum has the square of a pair of two units twice. Pairs of units
  // that became one later stay in it twice, so that the order of pairs does not matter.
  double variance = -state_->squares;
  for (const State::Unit& unit : state_->units) variance += unit.deviations * unit.deviations;
  const double missed = state_->missed;
  variance += kCommonError * missed * kCommonError * missed;
  const double margin = kNormal975 * std::sqrt(std::max(variance, 0.0));
  if (missed == 0) return {.found = state_->found};
  // Where many pairs were missed, few were found, and both the estimate and its deviation are too small: the upper bound is that of the
  // logarithm.
  const double skew = std::min(margin / missed, kMaxSkew);
  const double above = skew == 0 ? margin : margin * std::expm1(skew) / skew;
  return {.found = state_->found, .pairs = missed, .low = std::max(0.0, std::floor(missed - margin)), .high = std::ceil(missed + above)};
}

MissedPairs estimate_missed(std::span<const FoundPair> found, uint32_t bands, uint32_t rows_per_band) {
  MissedPairsEstimator estimator(bands, rows_per_band);
  for (const FoundPair& pair : found) estimator.add(pair);
  return estimator.estimate();
}

}  // namespace neardup
