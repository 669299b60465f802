#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "jobs/report/tally/chosen_removals.h"
#include "jobs/report/tally/removal_histogram.h"
#include "jobs/report/tally/source_tally.h"

namespace neardup {
namespace {

constexpr uint32_t kReferenceSources = 2;

// Random rows as a run makes them: keepers are kept rows, or documents of the reference sources.
std::vector<ReportRow> random_rows(std::mt19937_64& random, uint32_t sources, size_t count) {
  std::vector<ReportRow> rows;
  for (size_t i = 0; i < count; ++i) {
    const auto source = static_cast<uint32_t>(kReferenceSources + i * sources / count);
    rows.push_back({.number = i, .where = {source, i + 1}});
  }
  std::map<DocumentId, uint64_t> sizes;
  for (size_t i = 1; i < count; ++i) {
    if (random() % 3 == 0) continue;
    DocumentId keeper{static_cast<uint32_t>(random() % kReferenceSources), random() % 3};
    if (random() % 4 != 0) {
      const ReportRow& other = rows[random() % std::min<size_t>(i, 5)];
      if (other.removed) continue;
      keeper = other.where;
    }
    rows[i].removed = true;
    rows[i].keeper = keeper;
    rows[i].exact_copy = random() % 4 == 0;
    rows[i].similarity = rows[i].exact_copy ? 1'000'000 : static_cast<uint32_t>(800'000 + random() % 21 * 10'000);
    ++sizes[keeper];
  }
  for (ReportRow& row : rows) row.cluster_size = 1 + sizes[row.removed ? row.keeper : row.where];
  return rows;
}

template <typename Check>
void for_random_rows(const Check& check) {
  std::mt19937_64 random(16);
  for (int round = 0; round < 300; ++round) {
    const auto sources = static_cast<uint32_t>(1 + random() % 5);
    check(random_rows(random, sources, 1 + random() % 80), kReferenceSources + sources, random);
  }
}

TEST(SourceTally, AgreesWithASlowTwin) {
  for_random_rows([](const std::vector<ReportRow>& rows, uint32_t sources, std::mt19937_64& random) {
    SourceTally tally(sources);
    for (const ReportRow& row : rows) tally.add(row);
    const size_t max_sources = random() % 8;
    const size_t max_losses = random() % 8;
    const SourceTable table = tally.table(max_sources, max_losses);

    const auto counted = [&](const auto& matches) { return static_cast<uint64_t>(std::ranges::count_if(rows, matches)); };
    SourceCounts total = table.left_out;
    for (const SourceTable::Row& listed : table.rows) {
      const uint32_t s = listed.source;
      EXPECT_EQ(listed.counts.documents, counted([&](const ReportRow& row) { return row.where.source == s; }));
      EXPECT_EQ(listed.counts.kept, counted([&](const ReportRow& row) { return row.where.source == s && !row.removed; }));
      EXPECT_EQ(listed.counts.exact, counted([&](const ReportRow& row) { return row.where.source == s && row.removed && row.exact_copy; }));
      EXPECT_EQ(listed.counts.near, counted([&](const ReportRow& row) { return row.where.source == s && row.removed && !row.exact_copy; }));
      EXPECT_EQ(listed.counts.wins, counted([&](const ReportRow& row) { return row.removed && row.keeper.source == s; }));
      EXPECT_EQ(listed.reference, s < kReferenceSources);
      total.documents += listed.counts.documents;
      total.wins += listed.counts.wins;
    }
    EXPECT_EQ(total.documents, rows.size());
    EXPECT_EQ(total.wins, counted([](const ReportRow& row) { return row.removed; }));
    EXPECT_LE(table.rows.size(), max_sources);
    EXPECT_TRUE(std::ranges::is_sorted(table.rows, {}, &SourceTable::Row::source));

    uint64_t losses = table.losses_left_out;
    for (const SourceTable::Loss& loss : table.losses) {
      const uint32_t loser = table.rows[loss.loser].source;
      const uint32_t winner = table.rows[loss.winner].source;
      EXPECT_EQ(loss.documents,
                counted([&](const ReportRow& row) { return row.removed && row.where.source == loser && row.keeper.source == winner; }));
      losses += loss.documents;
    }
    EXPECT_EQ(losses, total.wins);
    EXPECT_LE(table.losses.size(), max_losses);
  });
}

TEST(SourceTally, ListsTheLargestSources) {
  SourceTally tally(4);
  for (uint64_t i = 0; i < 10; ++i) tally.add({.number = i, .where = {static_cast<uint32_t>(i < 2 ? 1 : i < 5 ? 2 : 3), i}});
  const SourceTable table = tally.table(2, 10);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].source, 2u);
  EXPECT_EQ(table.rows[1].source, 3u);
  EXPECT_EQ(table.sources_left_out, 1u);  // source 0 has no documents, so it is in no count
  EXPECT_EQ(table.left_out.documents, 2u);
}

TEST(RemovalHistogram, PutsEachRemovalIntoItsBin) {
  for_random_rows([](const std::vector<ReportRow>& rows, uint32_t, std::mt19937_64&) {
    RemovalHistogram histogram(0);
    for (const ReportRow& row : rows) histogram.add(row);
    const auto bins = histogram.bins(850'000);
    uint64_t total = 0;
    for (size_t i = 0; i < bins.size(); ++i) {
      const uint32_t end = i + 1 < bins.size() ? bins[i + 1].from : 1'000'001;
      EXPECT_EQ(bins[i].removed, static_cast<uint64_t>(std::ranges::count_if(rows, [&](const ReportRow& row) {
                  return row.removed && !row.exact_copy && row.similarity >= bins[i].from && row.similarity < end;
                })));
      total += bins[i].removed;
    }
    EXPECT_EQ(total, static_cast<uint64_t>(std::ranges::count_if(rows, &ReportRow::near)));
    EXPECT_LE(bins.front().from, 850'000u);
    EXPECT_EQ(bins.back().from, 990'000u);
  });
}

TEST(RemovalHistogram, FindsDistancesAgain) {
  for (const uint32_t bits : {64u, 128u}) {
    RemovalHistogram histogram(bits);
    for (uint32_t distance = 0; distance <= bits; ++distance) {
      const auto similarity = static_cast<uint32_t>(uint64_t{bits - distance} * 1'000'000 / bits);  // rounded down, as in a record
      EXPECT_EQ(histogram.distance(similarity), distance);
    }
    histogram.add({.removed = true, .similarity = static_cast<uint32_t>(uint64_t{bits - 5} * 1'000'000 / bits)});
    const auto bins = histogram.bins(3);
    ASSERT_EQ(bins.size(), 6u);
    EXPECT_EQ(bins[5], (RemovalHistogram::Bin{5, 1}));
    EXPECT_EQ(bins[3], (RemovalHistogram::Bin{3, 0}));
    EXPECT_EQ(RemovalHistogram(bits).bins(3).size(), 4u);
  }
}

TEST(ClusterTally, AgreesWithASlowTwin) {
  for_random_rows([](const std::vector<ReportRow>& rows, uint32_t, std::mt19937_64&) {
    ClusterTally tally;
    std::map<DocumentId, uint64_t> clusters;
    for (const ReportRow& row : rows) {
      tally.add(row);
      if (row.removed) ++clusters[row.keeper];
    }
    std::map<uint64_t, uint64_t> sizes;
    for (const auto& [keeper, removed] : clusters) ++sizes[removed + 1];
    EXPECT_EQ(tally.sizes(), (std::vector<std::pair<uint64_t, uint64_t>>(sizes.begin(), sizes.end())));
  });
}

TEST(LeastSimilar, AgreesWithASlowTwin) {
  for_random_rows([](const std::vector<ReportRow>& rows, uint32_t, std::mt19937_64& random) {
    const size_t most = random() % 12;
    LeastSimilar chosen(most);
    std::vector<std::tuple<uint32_t, uint64_t>> expected;
    std::set<std::pair<DocumentId, uint32_t>> seen;
    for (const ReportRow& row : rows) {
      chosen.add(row);
      if (row.near() && seen.emplace(row.keeper, row.similarity).second) expected.emplace_back(row.similarity, row.number);
    }
    std::ranges::sort(expected);
    expected.resize(std::min(most, expected.size()));
    std::vector<std::tuple<uint32_t, uint64_t>> found;
    for (const ReportRow& row : chosen.rows()) found.emplace_back(row.similarity, row.number);
    EXPECT_EQ(found, expected);
  });
}

TEST(LargestClusters, AgreeWithASlowTwinInAnyOrder) {
  for_random_rows([](std::vector<ReportRow> rows, uint32_t, std::mt19937_64& random) {
    const size_t most = random() % 5;
    std::map<DocumentId, uint64_t> removed;
    for (const ReportRow& row : rows) {
      if (row.removed) ++removed[row.keeper];
    }
    std::vector<LargestClusters::Cluster> expected;
    for (const auto& [keeper, count] : removed) expected.push_back({keeper, count + 1});
    std::ranges::stable_sort(expected, std::greater<>(), &LargestClusters::Cluster::size);
    expected.resize(std::min(most, expected.size()));

    std::ranges::shuffle(rows, random);
    LargestClusters largest(most);
    for (const ReportRow& row : rows) largest.add(row);
    EXPECT_EQ(largest.clusters(), expected);

    ClusterMembers members(expected, 3);
    for (const ReportRow& row : rows) members.add(row);
    for (size_t i = 0; i < expected.size(); ++i) {
      std::map<uint32_t, uint64_t> first;  // by similarity, the first row
      for (const ReportRow& row : rows) {
        if (!row.removed || row.keeper != expected[i].keeper) continue;
        const auto [at, added] = first.emplace(row.similarity, row.number);
        if (!added) at->second = std::min(at->second, row.number);
      }
      const std::vector<ReportRow> found = members.members()[i];
      ASSERT_EQ(found.size(), std::min<size_t>(3, first.size()));
      auto at = first.begin();
      for (const ReportRow& row : found) EXPECT_EQ(row.number, (at++)->second);
    }
  });
}

TEST(RowSample, IsTheSameInAnyOrderAndUniform) {
  std::mt19937_64 random(7);
  std::vector<ReportRow> rows;
  for (uint64_t i = 0; i < 10'000; ++i) rows.push_back({.number = i, .where = {static_cast<uint32_t>(i / 2500), i % 2500}});
  const auto sample = [&] {
    RowSample chosen(1000);
    for (const ReportRow& row : rows) chosen.add(row);
    std::vector<uint64_t> numbers;
    for (const ReportRow& row : chosen.rows()) numbers.push_back(row.number);
    return numbers;
  };
  const std::vector<uint64_t> first = sample();
  ASSERT_EQ(first.size(), 1000u);
  std::ranges::shuffle(rows, random);
  EXPECT_EQ(sample(), first);
  for (uint64_t quarter = 0; quarter < 4; ++quarter) {
    const auto in_quarter = std::ranges::count_if(first, [&](uint64_t number) { return number / 2500 == quarter; });
    EXPECT_NEAR(static_cast<double>(in_quarter), 250, 5 * 13);  // five standard deviations
  }
  rows.resize(10);
  EXPECT_EQ(sample().size(), 10u);
}

}  // namespace
}  // namespace neardup
