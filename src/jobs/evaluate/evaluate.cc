#include "neardup/tools/evaluate.h"

#include <algorithm>

namespace neardup {
namespace {

constexpr uint32_t kBandWidth = 50'000;  // millionths
constexpr uint32_t kOne = 1'000'000;

}  // namespace

BandScore& BandCounts::band(uint32_t similarity_millionths) {
  const uint32_t from = similarity_millionths >= kOne ? kOne : similarity_millionths / kBandWidth * kBandWidth;
  BandScore& band = bands_[from];
  band.from = from;
  band.to = std::min(from + kBandWidth, kOne);
  return band;
}

void BandCounts::add_found(uint32_t similarity_millionths, bool right) {
  BandScore& counts = band(similarity_millionths);
  ++counts.found;
  counts.right += right;
}

void BandCounts::add_truth(uint32_t similarity_millionths, bool found) {
  BandScore& counts = band(similarity_millionths);
  ++counts.truth;
  counts.truth_found += found;
}

std::vector<BandScore> BandCounts::scores() const {
  std::vector<BandScore> scores;
  scores.reserve(bands_.size());
  for (const auto& [from, counts] : bands_) scores.push_back(counts);
  return scores;
}

Evaluation evaluate(const DecisionTable& table, const Truth& truth) {
  Evaluation result{.documents = table.size(),
                    .removed = table.removed(),
                    .unknown_rows = truth.unknown_rows(),
                    .repeated_names = table.repeated_names(),
                    .by_pairs = truth.by_pairs(),
                    .pairs = {},
                    .clusters = score_clusters(table.clusters(), truth.labels()),
                    .kept = score_kept(table.kept(), truth.labels()),
                    .bands = {}};
  result.labelled = result.clusters.documents;
  result.pairs = result.clusters.pairs;
  BandCounts bands;
  if (truth.by_pairs()) {
    result.pairs.right = 0;
    result.pairs.truth = truth.pairs().size();
    for (const Truth::Pair& pair : truth.pairs()) {
      const bool together = table.clusters()[pair.a] == table.clusters()[pair.b];
      result.pairs.right += together;
      if (pair.similarity_millionths == Truth::kUnknown) continue;
      result.similarities_known = true;
      bands.add_truth(pair.similarity_millionths, together);
    }
  }
  for (uint32_t d = 0; d < table.size(); ++d) {
    const auto keeper = table.keeper(d);
    const auto right = keeper ? truth.duplicates(d, *keeper) : std::nullopt;
    if (right) bands.add_found(table.similarity_millionths(d), *right);
  }
  result.bands = bands.scores();
  return result;
}

MissedPairs estimate_missed_keepers(const DecisionTable& table, uint32_t bands, uint32_t rows_per_band) {
  MissedPairsEstimator estimator(bands, rows_per_band);
  for (uint32_t d = 0; d < table.size(); ++d) {
    if (table.kept()[d] != 0) continue;
    estimator.add({.a = d, .b = table.clusters()[d], .similarity = table.similarity_millionths(d) / 1e6});
  }
  return estimator.estimate();
}

}  // namespace neardup
