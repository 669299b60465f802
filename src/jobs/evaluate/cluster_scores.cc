#include "neardup/tools/cluster_scores.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

namespace neardup {
namespace {

// Documents with one label, or with one pair of labels, as a run of equal keys in a sorted array.
template <typename Key, typename Visit>
void for_each_run(const std::vector<Key>& sorted, const Visit& visit) {
  for (size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    while (end < sorted.size() && sorted[end] == sorted[begin]) ++end;
    visit(sorted[begin], end - begin);
  }
}

uint64_t pairs_of(uint64_t documents) noexcept {
  return documents / 2 * (documents - 1 + documents % 2);  // the even one of the factors is halved
}

// The sizes of clusters, by label.
std::unordered_map<uint32_t, uint64_t> sizes_of(const std::vector<uint32_t>& sorted) {
  std::unordered_map<uint32_t, uint64_t> sizes;
  for_each_run(sorted, [&](uint32_t label, uint64_t count) { sizes.emplace(label, count); });
  return sizes;
}

// Of the distribution of documents over clusters, in nats.
double entropy(const std::vector<uint32_t>& sorted) {
  const auto n = static_cast<double>(sorted.size());
  double sum = 0;
  for_each_run(sorted, [&](uint32_t, uint64_t count) {
    const auto c = static_cast<double>(count);
    sum += c * std::log(n / c);
  });
  return sorted.empty() ? 0 : sum / n;
}

uint64_t pairs_within(const std::vector<uint32_t>& sorted) {
  uint64_t pairs = 0;
  for_each_run(sorted, [&](uint32_t, uint64_t count) { pairs += pairs_of(count); });
  return pairs;
}

// As sklearn and most others define it: equal clusterings have 1, even where the formula is 0 / 0.
double adjusted_rand_index(const PairCounts& pairs, uint64_t documents) {
  if (pairs.right == pairs.found && pairs.right == pairs.truth) return 1;
  const auto found = static_cast<double>(pairs.found);
  const auto truth = static_cast<double>(pairs.truth);
  const double expected = found * truth / static_cast<double>(pairs_of(documents));
  return (static_cast<double>(pairs.right) - expected) / ((found + truth) / 2 - expected);
}

}  // namespace

ClusterScores score_clusters(std::span<const uint32_t> found, std::span<const uint32_t> truth) {
  std::vector<uint32_t> found_labels;
  std::vector<uint32_t> true_labels;
  std::vector<uint64_t> cells;
  for (size_t d = 0; d < truth.size(); ++d) {
    if (truth[d] == kNoLabel || found[d] == kNoLabel) continue;
    found_labels.push_back(found[d]);
    true_labels.push_back(truth[d]);
    cells.push_back(uint64_t{found[d]} << 32 | truth[d]);
  }
  std::ranges::sort(found_labels);
  std::ranges::sort(true_labels);
  std::ranges::sort(cells);
  const auto found_sizes = sizes_of(found_labels);
  const auto true_sizes = sizes_of(true_labels);

  ClusterScores scores{.documents = cells.size(), .found_clusters = found_sizes.size(), .true_clusters = true_sizes.size(), .pairs = {}};
  scores.pairs.found = pairs_within(found_labels);
  scores.pairs.truth = pairs_within(true_labels);
  if (cells.empty()) return scores;

  const auto n = static_cast<double>(cells.size());
  double precision = 0;  // sums over documents
  double recall = 0;
  double found_given_truth = 0;  // conditional entropies
  double truth_given_found = 0;
  for_each_run(cells, [&](uint64_t cell, uint64_t count) {
    const auto both = static_cast<double>(count);
    const auto found_size = static_cast<double>(found_sizes.at(static_cast<uint32_t>(cell >> 32)));
    const auto true_size = static_cast<double>(true_sizes.at(static_cast<uint32_t>(cell)));
    scores.pairs.right += pairs_of(count);
    precision += both * both / found_size;
    recall += both * both / true_size;
    found_given_truth += both * std::log(true_size / both);
    truth_given_found += both * std::log(found_size / both);
  });
  scores.adjusted_rand = adjusted_rand_index(scores.pairs, cells.size());
  scores.bcubed_precision = precision / n;
  scores.bcubed_recall = recall / n;
  const double true_entropy = entropy(true_labels);
  const double found_entropy = entropy(found_labels);
  scores.homogeneity = true_entropy == 0 ? 1 : 1 - truth_given_found / n / true_entropy;
  scores.completeness = found_entropy == 0 ? 1 : 1 - found_given_truth / n / found_entropy;
  return scores;
}

KeptScores score_kept(std::span<const uint8_t> kept, std::span<const uint32_t> truth) {
  std::vector<uint64_t> rows;  // label, and 1 for kept documents
  for (size_t d = 0; d < truth.size(); ++d) {
    if (truth[d] != kNoLabel) rows.push_back(uint64_t{truth[d]} << 1 | static_cast<uint64_t>(kept[d] != 0));
  }
  std::ranges::sort(rows);
  KeptScores scores;
  const auto count = [&scores](uint64_t kept_here) {
    ++scores.clusters;
    scores.kept += kept_here;
    scores.one_kept += kept_here == 1;
    scores.several_kept += kept_here > 1;
    scores.none_kept += kept_here == 0;
    scores.duplicates_left += kept_here > 1 ? kept_here - 1 : 0;
  };
  for (size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    uint64_t kept_here = 0;
    for (; end < rows.size() && rows[end] >> 1 == rows[begin] >> 1; ++end) kept_here += rows[end] & 1;
    count(kept_here);
  }
  return scores;
}

}  // namespace neardup
