#include "neardup/tools/cluster_scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <vector>

namespace neardup {
namespace {

using LabelList = std::vector<uint32_t>;

// The slow twin: every pair of documents, by the definitions.
ClusterScores scores_of_all_pairs(const LabelList& found, const LabelList& truth) {
  ClusterScores scores;
  std::vector<size_t> in;
  for (size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] != kNoLabel) in.push_back(i);
  }
  double pairs = 0;
  double precision = 0;
  double recall = 0;
  for (const size_t i : in) {
    double both = 0;
    double same_found = 0;
    double same_truth = 0;
    for (const size_t j : in) {
      const bool f = found[i] == found[j];
      const bool t = truth[i] == truth[j];
      both += f && t;
      same_found += f;
      same_truth += t;
      if (j <= i) continue;
      ++pairs;
      scores.pairs.found += f;
      scores.pairs.truth += t;
      scores.pairs.right += f && t;
    }
    precision += both / same_found;
    recall += both / same_truth;
  }
  scores.documents = in.size();
  if (in.empty()) return scores;
  scores.bcubed_precision = precision / static_cast<double>(in.size());
  scores.bcubed_recall = recall / static_cast<double>(in.size());
  // (agreements - expected) / (most - expected), of pairs in one cluster (Hubert and Arabie).
  const auto f = static_cast<double>(scores.pairs.found);
  const auto t = static_cast<double>(scores.pairs.truth);
  const double expected = pairs == 0 ? 0 : f * t / pairs;
  const double most = (f + t) / 2;
  scores.adjusted_rand = most == expected ? 1 : (static_cast<double>(scores.pairs.right) - expected) / (most - expected);
  return scores;
}

// H(a | b), from the probabilities.
double conditional_entropy(const LabelList& a, const LabelList& b) {
  std::map<uint32_t, double> sizes;
  std::map<std::pair<uint32_t, uint32_t>, double> both;
  for (size_t i = 0; i < a.size(); ++i) {
    ++sizes[b[i]];
    ++both[{a[i], b[i]}];
  }
  double sum = 0;
  for (const auto& [cell, count] : both) sum -= count / static_cast<double>(a.size()) * std::log(count / sizes[cell.second]);
  return sum;
}

TEST(ClusterScores, PublishedImplementationGivesTheSame) {
  struct Case {
    LabelList found, truth;
    uint64_t right, found_pairs, true_pairs;
    double rand, precision, recall, homogeneity, completeness, v;
  };
  // scikit-learn 1.9.1: pair_confusion_matrix, adjusted_rand_score, homogeneity_completeness_v_measure; B-cubed by hand (Amigo et al.
  // 2009).
  const std::vector<Case> cases{{{0, 0, 1, 1}, {0, 0, 1, 1}, 2, 2, 2, 1, 1, 1, 1, 1, 1},
                                {{0, 0, 1, 2}, {0, 0, 1, 1}, 1, 1, 2, 0.5714285714285714, 1, 0.75, 1, 0.6666666666666666, 0.8},
                                {{1, 1, 0, 0, 0, 2},
                                 {5, 5, 5, 7, 7, 8},
                                 2,
                                 4,
                                 4,
                                 0.3181818181818182,
                                 0.7777777777777777,
                                 0.7777777777777777,
                                 0.6853314789615866,
                                 0.6853314789615866,
                                 0.6853314789615866},
                                {{0, 0, 0, 0, 0, 0}, {0, 0, 1, 1, 2, 2}, 3, 15, 3, 0, 0.3333333333333333, 1, 0, 1, 0},
                                {{0, 1, 2, 3}, {0, 0, 0, 0}, 0, 0, 6, 0, 1, 0.25, 1, 0, 0},
                                {{0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 4, 4, 5, 6},
                                 {0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 4, 4, 3, 3, 6},
                                 6,
                                 13,
                                 14,
                                 0.3626062322946176,
                                 0.7222222222222222,
                                 0.6777777777777778,
                                 0.7639783872399067,
                                 0.7248937953226366,
                                 0.7439230837366246}};
  for (const Case& each : cases) {
    const ClusterScores scores = score_clusters(each.found, each.truth);
    EXPECT_EQ(scores.pairs, (PairCounts{each.right, each.found_pairs, each.true_pairs}));
    EXPECT_NEAR(scores.adjusted_rand, each.rand, 1e-12);
    EXPECT_NEAR(scores.bcubed_precision, each.precision, 1e-12);
    EXPECT_NEAR(scores.bcubed_recall, each.recall, 1e-12);
    EXPECT_NEAR(scores.homogeneity, each.homogeneity, 1e-12);
    EXPECT_NEAR(scores.completeness, each.completeness, 1e-12);
    EXPECT_NEAR(scores.v_measure(), each.v, 1e-12);
  }
}

TEST(ClusterScores, AgreeWithTheSlowTwin) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 500; ++round) {
    const size_t n = random() % 40;
    const uint64_t found_labels = 1 + random() % 20;
    const uint64_t true_labels = 1 + random() % 20;
    LabelList found(n);
    LabelList truth(n);
    for (size_t i = 0; i < n; ++i) {
      found[i] = static_cast<uint32_t>(random() % found_labels) * 1'000'003;
      truth[i] = random() % 10 == 0 ? kNoLabel : static_cast<uint32_t>(random() % 3 == 0 ? found[i] : random() % true_labels);
    }
    const ClusterScores fast = score_clusters(found, truth);
    const ClusterScores slow = scores_of_all_pairs(found, truth);
    EXPECT_EQ(fast.pairs, slow.pairs);
    EXPECT_EQ(fast.documents, slow.documents);
    EXPECT_NEAR(fast.adjusted_rand, slow.adjusted_rand, 1e-9);
    EXPECT_NEAR(fast.bcubed_precision, slow.bcubed_precision, 1e-9);
    EXPECT_NEAR(fast.bcubed_recall, slow.bcubed_recall, 1e-9);
    LabelList f;
    LabelList t;
    for (size_t i = 0; i < n; ++i) {
      if (truth[i] == kNoLabel) continue;
      f.push_back(found[i]);
      t.push_back(truth[i]);
    }
    const LabelList one(f.size(), 0);
    const double of_truth = conditional_entropy(t, one);
    const double of_found = conditional_entropy(f, one);
    EXPECT_NEAR(fast.homogeneity, of_truth < 1e-12 ? 1 : 1 - conditional_entropy(t, f) / of_truth, 1e-9);
    EXPECT_NEAR(fast.completeness, of_found < 1e-12 ? 1 : 1 - conditional_entropy(f, t) / of_found, 1e-9);
  }
}

TEST(ClusterScores, ClustersOfMillionsCostNoPairs) {
  const LabelList one(300'000, 7);
  const ClusterScores scores = score_clusters(one, one);
  EXPECT_EQ(scores.pairs.right, 44'999'850'000u);
  EXPECT_EQ(scores.adjusted_rand, 1);
  EXPECT_EQ(scores.v_measure(), 1);
}

TEST(KeptScores, CountByTrueCluster) {
  // Clusters: 1 has one kept of three, 2 two of two, 3 none of two, 4 one of one; one document has no label.
  const LabelList truth{1, 1, 1, 2, 2, 3, 3, 4, kNoLabel};
  const std::vector<uint8_t> kept{1, 0, 0, 1, 1, 0, 0, 1, 1};
  const KeptScores scores = score_kept(kept, truth);
  EXPECT_EQ(scores.clusters, 4u);
  EXPECT_EQ(scores.one_kept, 2u);
  EXPECT_EQ(scores.several_kept, 1u);
  EXPECT_EQ(scores.none_kept, 1u);
  EXPECT_EQ(scores.duplicates_left, 1u);
  EXPECT_EQ(scores.kept, 4u);
  EXPECT_EQ(scores.correct(), 0.5);
}

}  // namespace
}  // namespace neardup
