#include "dedup/match/candidates/union_find.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "base/parallel.h"

namespace neardup {
namespace {

TEST(UnionFind, RootIsTheLeastMemberForAnyOrderAndThreads) {
  constexpr uint32_t kSize = 3000;
  std::mt19937 random(1);
  std::vector<std::pair<uint32_t, uint32_t>> joins;
  for (uint32_t i = 0; i < 2500; ++i) joins.emplace_back(random() % kSize, random() % kSize);
  // The slow twin: labels, relabelled until nothing changes.
  std::vector<uint32_t> label(kSize);
  for (uint32_t i = 0; i < kSize; ++i) label[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [a, b] : joins) {
      const uint32_t least = std::min(label[a], label[b]);
      changed |= label[a] != least || label[b] != least;
      label[a] = label[b] = least;
    }
  }
  for (const uint32_t threads : {1u, 2u, 8u}) {
    UnionFind sets(kSize);
    parallel_for(threads, joins.size(), 7, [&](uint32_t, size_t i) { sets.unite(joins[i].first, joins[i].second); });
    for (uint32_t i = 0; i < kSize; ++i) EXPECT_EQ(sets.root(i), label[i]);
    std::shuffle(joins.begin(), joins.end(), random);
  }
}

TEST(UnionFind, UniteReturnsWhetherSetsWereJoined) {
  UnionFind sets(3);
  EXPECT_TRUE(sets.unite(2, 1));
  EXPECT_FALSE(sets.unite(1, 2));
  EXPECT_EQ(sets.root(2), 1u);
  EXPECT_EQ(sets.root(0), 0u);
}

}  // namespace
}  // namespace neardup
