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

}  // namespace

struct MissedPairsEstimator::State {
  struct Unit {  // a document with its copies; the members count at the root
    uint32_t parent;
    double deviations = 0;  // standard deviations of its pairs, summed
  };
  LshPlan plan;
  uint64_t found = 0;
  double missed = 0;
  double squares = 0;  // of all deviations: the variance if pairs were independent
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

MissedPairsEstimator::MissedPairsEstimator(uint32_t bands, uint32_t rows_per_band)
    : state_(std::make_unique<State>(State{.plan = {bands, rows_per_band}, .numbers = {}, .units = {}})) {}

MissedPairsEstimator::~MissedPairsEstimator() = default;

void MissedPairsEstimator::add(const FoundPair& pair) {
  ++state_->found;
  if (state_->plan.bands == 0) return;
  const uint32_t a = state_->number(pair.a);
  const uint32_t b = state_->number(pair.b);
  if (pair.similarity >= 1) {  // never missed
    if (a == b) return;
    state_->units[b].parent = a;
    state_->units[a].deviations += std::exchange(state_->units[b].deviations, 0);
    return;
  }
  const double miss = state_->plan.miss_probability(pair.similarity);
  const double found = 1 - miss;
  // The error of the estimate is the sum of (found ? 1/p : 0) - 1 over all pairs, of which each has the variance miss / p; the found one
  // represents 1/p of them.
  const double deviation = std::sqrt(miss / found) / found;
  state_->missed += miss / found;
  state_->squares += deviation * deviation;
  state_->units[a].deviations += deviation;
  state_->units[b].deviations += deviation;
}

MissedPairs MissedPairsEstimator::estimate() const {
  // Pairs of one unit fully correlated, other pairs independent: each pair is a part of two units, so its own square is in the sum twice.
  double variance = -state_->squares;
  for (const State::Unit& unit : state_->units) variance += unit.deviations * unit.deviations;
  const double margin = kNormal975 * std::sqrt(std::max(variance, 0.0));
  return {.found = state_->found,
          .pairs = state_->missed,
          .low = std::max(0.0, std::floor(state_->missed - margin)),
          .high = std::ceil(state_->missed + margin)};
}

MissedPairs estimate_missed(std::span<const FoundPair> found, uint32_t bands, uint32_t rows_per_band) {
  MissedPairsEstimator estimator(bands, rows_per_band);
  for (const FoundPair& pair : found) estimator.add(pair);
  return estimator.estimate();
}

}  // namespace neardup
