#include <algorithm>
#include <cmath>

#include "neardup/tools/evaluate.h"

namespace neardup {

PairScorer::PairScorer(const DecisionTable& table, const Truth* truth, uint32_t bands, uint32_t rows_per_band)
    : table_(table), truth_(truth), estimator_(bands, rows_per_band), found_(truth == nullptr ? 0 : truth->pairs().size()) {}

void PairScorer::append(const End& a, const End& b, double similarity) {
  const auto x = table_.find(a.where);
  const auto y = table_.find(b.where);
  if (!x || !y) return;  // not decided about: of the reference corpus
  estimator_.add({.a = *x, .b = *y, .similarity = similarity});
  if (truth_ == nullptr) return;
  const auto right = truth_->duplicates(*x, *y);
  if (!right) return;
  ++pairs_.found;
  pairs_.right += *right;
  bands_.add_found(static_cast<uint32_t>(std::lround(similarity * 1e6)), *right);
  if (const auto index = truth_->find_pair(*x, *y)) found_[*index] = true;
}

PairEvaluation PairScorer::result() const {
  PairEvaluation result{.pairs = pairs_, .bands = {}, .missed = estimator_.estimate()};
  if (truth_ == nullptr) return result;
  BandCounts bands = bands_;
  for (size_t i = 0; i < found_.size(); ++i) {
    const uint32_t similarity = truth_->pairs()[i].similarity_millionths;
    if (similarity == Truth::kUnknown) continue;
    result.similarities_known = true;
    bands.add_truth(similarity, found_[i]);
  }
  result.bands = bands.scores();
  result.pairs.truth = truth_->by_pairs() ? truth_->pairs().size() : score_clusters(table_.clusters(), truth_->labels()).pairs.truth;
  return result;
}

}  // namespace neardup
