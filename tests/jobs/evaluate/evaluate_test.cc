#include "neardup/tools/evaluate.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

namespace neardup {
namespace {

DecisionTable::Row kept_row(uint64_t row, std::string_view name) {
  return {.where = {0, row}, .name = name, .removed = false, .keeper = {}, .similarity_millionths = 0};
}
DecisionTable::Row removed_row(uint64_t row, std::string_view name, DocumentId keeper, uint32_t similarity) {
  return {.where = {0, row}, .name = name, .removed = true, .keeper = keeper, .similarity_millionths = similarity};
}

// a is kept for b and c, e was removed because of a later document, f and g because of reference documents.
DecisionTable small_table() {
  DecisionTable table;
  table.add(kept_row(1, "a"));
  table.add(removed_row(2, "b", {0, 1}, 900'000));
  table.add(removed_row(3, "c", {0, 1}, 1'000'000));
  table.add(removed_row(5, "e", {0, 6}, 810'000));
  table.add(kept_row(6, "d"));
  table.add(removed_row(7, "f", {9, 1}, 850'000));
  table.add(removed_row(8, "g", {9, 1}, 850'000));
  table.finish();
  return table;
}

TEST(DecisionTable, ClustersAreKeepersWithTheDocumentsRemovedBecauseOfThem) {
  const DecisionTable table = small_table();
  EXPECT_EQ(std::vector<uint32_t>(table.clusters().begin(), table.clusters().end()), (std::vector<uint32_t>{0, 0, 0, 4, 4, 7, 7}));
  EXPECT_EQ(table.removed(), 5u);
  EXPECT_EQ(table.keeper(1), 0u);
  EXPECT_EQ(table.keeper(3), 4u);
  EXPECT_FALSE(table.keeper(0));
  EXPECT_FALSE(table.keeper(5));
  EXPECT_EQ(table.find("e"), 3u);
  EXPECT_EQ(table.find(DocumentId{0, 6}), 4u);
  EXPECT_FALSE(table.find("x"));
  EXPECT_FALSE(table.find(DocumentId{0, 4}));
}

TEST(DecisionTable, OfEqualNamesTheFirstCounts) {
  DecisionTable table;
  for (uint64_t row = 1; row <= 5; ++row) table.add(kept_row(row, row % 2 == 1 ? "odd" : "even"));
  table.finish();
  EXPECT_EQ(table.find("odd"), 0u);
  EXPECT_EQ(table.find("even"), 1u);
  EXPECT_EQ(table.repeated_names(), 3u);
}

TEST(Evaluate, LabelsByHand) {
  const DecisionTable table = small_table();
  Truth truth(table);
  // True clusters: {a, b, e}, {c, d}, {f}; g has no label.
  for (const auto& [name, label] : {std::pair{"a", "x"}, {"b", "x"}, {"e", "x"}, {"c", "y"}, {"d", "y"}, {"f", "z"}}) {
    truth.label(*table.find(name), label);
  }
  truth.unknown();
  truth.finish();
  const Evaluation result = evaluate(table, truth);
  EXPECT_EQ(result.documents, 7u);
  EXPECT_EQ(result.removed, 5u);
  EXPECT_EQ(result.labelled, 6u);
  EXPECT_EQ(result.unknown_rows, 1u);
  EXPECT_FALSE(result.by_pairs);
  // In one cluster: ab, ac, bc, ed. True: ab, ae, be, cd. Both: ab.
  EXPECT_EQ(result.pairs, (PairCounts{1, 4, 4}));
  EXPECT_EQ(result.kept.one_kept, 2u);
  EXPECT_EQ(result.kept.none_kept, 1u);
  ASSERT_EQ(result.bands.size(), 3u);  // e-d at 0.81, b-a at 0.9, c-a at 1
  EXPECT_EQ(result.bands[0].from, 800'000u);
  EXPECT_EQ(result.bands[0].right, 0u);
  EXPECT_EQ(result.bands[1].from, 900'000u);
  EXPECT_EQ(result.bands[1].right, 1u);
  EXPECT_EQ(result.bands[2].from, 1'000'000u);
  EXPECT_EQ(result.bands[2].found, 1u);
  EXPECT_EQ(result.bands[2].right, 0u);
}

TEST(Evaluate, PairsByHand) {
  const DecisionTable table = small_table();
  Truth truth(table);
  truth.pair(1, 0, 900'000);
  truth.pair(0, 1, 900'000);  // again
  truth.pair(1, 3, 720'000);
  truth.pair(4, 2, std::nullopt);
  truth.finish();
  ASSERT_EQ(truth.pairs().size(), 3u);
  const Evaluation result = evaluate(table, truth);
  EXPECT_EQ(result.labelled, 7u);
  // In one cluster: ab, ac, bc, ed, fg.
  EXPECT_EQ(result.pairs, (PairCounts{1, 5, 3}));
  // Its components: {a, b, e}, {c, d}, {f}, {g}.
  EXPECT_EQ(result.clusters.true_clusters, 4u);
  EXPECT_TRUE(result.similarities_known);
  ASSERT_EQ(result.bands.size(), 4u);
  EXPECT_EQ(result.bands[0].from, 700'000u);
  EXPECT_EQ(result.bands[0].truth, 1u);
  EXPECT_EQ(result.bands[0].truth_found, 0u);
  EXPECT_EQ(result.bands[2].from, 900'000u);
  EXPECT_EQ(result.bands[2].truth_found, 1u);
  EXPECT_EQ(result.bands[2].right, 1u);
}

TEST(PairScorer, AgreesWithSets) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 100; ++round) {
    DecisionTable table;
    const uint64_t n = 2 + random() % 20;
    for (uint64_t row = 1; row <= n; ++row) table.add(kept_row(row, std::to_string(row)));
    table.finish();
    Truth truth(table);
    std::set<std::pair<uint64_t, uint64_t>> listed;
    std::set<std::pair<uint64_t, uint64_t>> found;
    truth.pair(0, 1, 900'000);
    listed.emplace(0, 1);
    for (uint64_t b = 1; b < n; ++b) {
      for (uint64_t a = 0; a < b; ++a) {
        if (random() % 3 == 0) {
          truth.pair(static_cast<uint32_t>(b), static_cast<uint32_t>(a), 900'000);
          listed.emplace(a, b);
        }
      }
    }
    truth.finish();
    PairScorer scorer(table, &truth, 10, 4);
    uint64_t right = 0;
    for (uint64_t b = 1; b < n; ++b) {
      for (uint64_t a = 0; a < b; ++a) {
        if (random() % 2 == 0) continue;
        scorer.append({.where = {0, a + 1}, .id = {}, .has_id = false}, {.where = {0, b + 1}, .id = {}, .has_id = false}, 0.9);
        found.emplace(a, b);
        right += listed.contains({a, b});
      }
    }
    const PairEvaluation result = scorer.result();
    EXPECT_EQ(result.pairs, (PairCounts{right, found.size(), listed.size()}));
    ASSERT_EQ(result.bands.size(), 1u);
    EXPECT_EQ(result.bands[0].found, found.size());
    EXPECT_EQ(result.bands[0].right, right);
    EXPECT_EQ(result.bands[0].truth, listed.size());
    EXPECT_EQ(result.bands[0].truth_found, right);
    EXPECT_EQ(result.missed.found, found.size());
  }
}

}  // namespace
}  // namespace neardup
