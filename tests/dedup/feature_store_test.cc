#include "dedup/feature_store.h"

#include <gtest/gtest.h>

#include <algorithm>

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

}  // namespace
}  // namespace neardup
