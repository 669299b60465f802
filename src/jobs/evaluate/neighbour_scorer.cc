#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "neardup/tools/neighbour_sample.h"

namespace neardup {
namespace {

constexpr double kNormalQuantile = 1.959964;  // of 95 %, two-sided
constexpr double kRuleOfThree = 3;            // events that may be expected, at 95 %, where none was seen

// How many of `whole` things have a property that `seen` of `sampled` have (Wilson 1927), whole numbers that are possible.
Estimated estimate_count(uint64_t seen, uint64_t sampled, uint64_t whole) {
  const auto k = static_cast<double>(seen);
  const auto n = static_cast<double>(sampled);
  const auto all = static_cast<double>(whole);
  if (sampled == 0 || sampled == whole) return {k, k, k};
  const double share = k / n;
  const double square = kNormalQuantile * kNormalQuantile / n;
  const double center = (share + square / 2) / (1 + square);
  const double margin = kNormalQuantile / (1 + square) * std::sqrt(share * (1 - share) / n + square / (4 * n));
  return {share * all, std::max(k, std::floor((center - margin) * all)), std::min(all - (n - k), std::ceil((center + margin) * all))};
}

// Half of the sum of missed neighbours over all documents, from those of the sample.
Estimated estimate_pairs(const std::vector<uint64_t>& missed, uint64_t sampled, uint64_t whole) {
  const auto n = static_cast<double>(sampled);
  const auto all = static_cast<double>(whole);
  double sum = 0;
  double squares = 0;
  for (const uint64_t count : missed) {
    sum += static_cast<double>(count);
    squares += static_cast<double>(count) * static_cast<double>(count);
  }
  if (sampled == 0 || sampled == whole) return {sum / 2, sum / 2, sum / 2};
  const double pairs = sum / n * all / 2;
  if (sum == 0) return {0, 0, std::ceil(kRuleOfThree * all / n / 2)};
  const double variance = std::max(0.0, squares - sum * sum / n) / std::max(1.0, n - 1) / n * (1 - n / all);
  const double margin = kNormalQuantile * all / 2 * std::sqrt(variance);
  // At least the half of what was seen exists: a pair of two sampled documents was seen twice.
  return {pairs, std::max(std::ceil(sum / 2), std::floor(pairs - margin)), std::ceil(pairs + margin)};
}

}  // namespace

void NeighbourScorer::add(const Neighbour& neighbour) {
  if (neighbour.sampled >= missed_.size()) missed_.resize(neighbour.sampled + 1);
  const auto a = table_.find(neighbour.of);
  const auto b = table_.find(neighbour.other);
  if (!a || !b) return;
  const bool together = table_.clusters()[*a] == table_.clusters()[*b];
  ++pairs_.truth;
  pairs_.right += together;
  bands_.add_truth(neighbour.similarity_millionths, together);
  missed_[neighbour.sampled] += table_.kept()[*a] != 0 && table_.kept()[*b] != 0;
}

NeighbourScores NeighbourScorer::result(const std::vector<DocumentId>& sample) const {
  NeighbourScores scores{.documents = table_.size(),
                         .sampled = sample.size(),
                         .pairs = pairs_,
                         .bands = bands_.scores(),
                         .duplicates_left = {},
                         .missed_pairs = {}};
  std::unordered_map<uint32_t, uint64_t> sizes;
  for (const uint32_t cluster : table_.clusters()) ++sizes[cluster];
  for (const DocumentId& where : sample) {
    if (const auto document = table_.find(where)) scores.pairs.found += sizes[table_.clusters()[*document]] - 1;
  }
  scores.kept_with_match = static_cast<uint64_t>(std::ranges::count_if(missed_, [](uint64_t count) { return count > 0; }));
  scores.duplicates_left = estimate_count(scores.kept_with_match, scores.sampled, scores.documents);
  scores.missed_pairs = estimate_pairs(missed_, scores.sampled, scores.documents);
  return scores;
}

}  // namespace neardup
