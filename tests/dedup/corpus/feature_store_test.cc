#include "dedup/corpus/feature_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "base/hash.h"

namespace neardup {
namespace {

TEST(FeatureStore, GivesBackFromMemoryAndFromDisk) {
  for (const uint64_t memory : {uint64_t{0}, uint64_t{100}, uint64_t{1} << 20}) {
    FeatureStore store(memory, "");
    std::vector<std::vector<uint64_t>> expected;
    for (uint64_t batch = 0; batch < 10; ++batch) {
      std::vector<uint64_t> features;
      std::vector<uint32_t> sizes;
      for (uint64_t set = 0; set < batch % 4; ++set) {
        std::vector<uint64_t> made(batch * 3 * (set % 2), batch * 100 + set);
        features.insert(features.end(), made.begin(), made.end());
        sizes.push_back(static_cast<uint32_t>(made.size()));
        expected.push_back(made);
      }
      store.append(features, sizes);
    }
    ASSERT_EQ(store.count(), expected.size());
    EXPECT_EQ(store.spilled_bytes() > 0, memory < 1000);
    std::vector<uint64_t> space;
    for (uint32_t ordinal = 0; ordinal < store.count(); ++ordinal) {
      const auto got = store.get(ordinal, space);
      EXPECT_TRUE(std::equal(got.begin(), got.end(), expected[ordinal].begin(), expected[ordinal].end()));
      EXPECT_EQ(store.size(ordinal), expected[ordinal].size());
    }
  }
}

// Fewer slots than sets, so that they take each other's place; and sets that are too large to be kept.
TEST(FeatureStore, RecentSetsAreThoseOfTheStore) {
  constexpr uint32_t kSets = 60;
  for (const uint64_t memory : {0u, 20'000u}) {
    FeatureStore store(memory, "");
    for (uint64_t set = 0; set < kSets; ++set) {
      const std::vector<uint64_t> features(set * 3, splitmix64(1, set));
      const uint32_t size = static_cast<uint32_t>(features.size());
      store.append(features, {&size, 1});
    }
    RecentSets recent(7, 1000);
    std::vector<uint64_t> space;
    for (uint64_t i = 0; i < 2000; ++i) {
      const auto set = static_cast<uint32_t>(splitmix64(2, i) % kSets);
      const auto got = recent.get(store, set);
      ASSERT_TRUE(std::ranges::equal(got, store.get(set, space))) << set;
    }
  }
}

// Enough readings that mapped pages are given back, several times and while others read.
TEST(FeatureStore, MappedSetsStayWhatTheyAre) {
  constexpr uint32_t kSets = 5000;
  FeatureStore store(0, "");
  for (uint64_t set = 0; set < kSets; ++set) {
    const std::vector<uint64_t> features(1 + set % 300, splitmix64(1, set));
    const uint32_t size = static_cast<uint32_t>(features.size());
    store.append(features, {&size, 1});
  }
  store.finish(0);
  std::atomic<uint32_t> wrong{0};
  std::vector<std::jthread> readers;
  for (uint32_t reader = 0; reader < 3; ++reader) {
    readers.emplace_back([&, reader] {
      std::vector<uint64_t> space;
      for (uint64_t i = 0; i < 3 * kSets; ++i) {
        const auto set = static_cast<uint32_t>(splitmix64(reader, i) % kSets);
        const auto got = store.get(set, space);
        wrong += got.size() != 1 + set % 300 || got.front() != splitmix64(1, set) || got.back() != splitmix64(1, set);
      }
      wrong += !space.empty();
    });
  }
  readers.clear();
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace neardup
