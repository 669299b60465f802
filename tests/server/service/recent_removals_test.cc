#include "server/service/recent_removals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <string>

namespace neardup::server {
namespace {

Removal removal(std::string id) {
  return {.id = std::move(id), .similarity = 0.9, .time_ms = 1};
}

TEST(RecentRemovals, ListsTheLatestClusterFirst) {
  RecentRemovals removals(10);
  removals.add("a", 1, removal("x"));
  removals.add("b", 2, removal("y"));
  removals.add("a", 1, removal("z"));
  const auto clusters = removals.clusters(10, 10);
  ASSERT_EQ(clusters.size(), 2u);
  EXPECT_EQ(clusters[0].keeper_id, "a");
  EXPECT_EQ(clusters[0].removed, 2u);
  EXPECT_EQ(clusters[0].latest.front().id, "z");
  EXPECT_EQ(clusters[1].keeper_id, "b");
  EXPECT_EQ(removals.clusters(1, 1).size(), 1u);
  EXPECT_EQ(removals.clusters(1, 1)[0].latest.size(), 1u);
  EXPECT_EQ(removals.clusters(1, 1)[0].removed, 2u);
  EXPECT_EQ(removals.cluster("a").latest.size(), 2u);
  EXPECT_EQ(removals.cluster("unknown").removed, 0u);
}

TEST(RecentRemovals, ForgetsTheOldest) {
  RecentRemovals removals(2);
  removals.add("a", 1, removal("x"));
  removals.add("b", 2, removal("y"));
  removals.add("b", 2, removal("z"));
  EXPECT_EQ(removals.size(), 2u);
  EXPECT_EQ(removals.cluster("a").removed, 0u);
  EXPECT_EQ(removals.cluster("b").removed, 2u);
}

TEST(RecentRemovals, RemembersNothingIfToldSo) {
  RecentRemovals removals(0);
  removals.add("a", 1, removal("x"));
  EXPECT_EQ(removals.size(), 0u);
}

TEST(RecentRemovals, IsBoundedByTheBytesOfIds) {
  RecentRemovals removals(1'000'000);
  const std::string long_id(60'000, 'i');
  for (int i = 0; i < 3000; ++i) removals.add(long_id + std::to_string(i % 7), 1, removal(long_id + std::to_string(i)));
  EXPECT_LT(removals.size(), 1200u);  // 64 MiB of 60,000 bytes
  EXPECT_GT(removals.size(), 1000u);
  EXPECT_EQ(removals.clusters(10, 1)[0].latest[0].id, long_id + "2999");
}

// The same by a list that is searched from its end.
TEST(RecentRemovals, AsANaiveList) {
  struct Entry {
    std::string keeper, id;
  };
  std::mt19937 random(7);
  RecentRemovals removals(40);
  std::deque<Entry> naive;
  for (int step = 0; step < 3000; ++step) {
    const Entry entry{.keeper = std::to_string(random() % 12), .id = std::to_string(step)};
    removals.add(entry.keeper, 1, removal(entry.id));
    naive.push_back(entry);
    if (naive.size() > 40) naive.pop_front();
    if (step % 50 != 0) continue;
    std::vector<std::string> expected;
    for (auto at = naive.rbegin(); at != naive.rend(); ++at) {
      if (std::ranges::find(expected, at->keeper) == expected.end()) expected.push_back(at->keeper);
    }
    const auto clusters = removals.clusters(100, 100);
    ASSERT_EQ(clusters.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(clusters[i].keeper_id, expected[i]);
      EXPECT_EQ(clusters[i].removed, std::ranges::count(naive, expected[i], &Entry::keeper));
    }
  }
}

}  // namespace
}  // namespace neardup::server
