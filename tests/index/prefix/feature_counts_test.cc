#include "index/prefix/feature_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "base/hash.h"

namespace neardup {
namespace {

TEST(FeatureCountTables, CountUpToTheirEnd) {
  FeatureCounts counts(100);
  const std::vector<uint64_t> rare{mix64(1)};
  const std::vector<uint64_t> frequent{mix64(2)};
  counts.add(rare);
  const auto add = [&] {
    for (int i = 0; i < 1000; ++i) counts.add(frequent);
  };
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  EXPECT_EQ(counts.count(rare[0]), 1u);
  EXPECT_EQ(counts.count(frequent[0]), FeatureCounts::kMany);
  EXPECT_EQ(counts.count(mix64(3)), 0u);
}

TEST(FeatureCountTables, FindTheRarest) {
  FeatureCounts counts(1 << 20);
  std::vector<uint64_t> features;
  for (uint64_t i = 1; i <= 50; ++i) {
    features.push_back(mix64(i));
    for (uint64_t n = 0; n < i % 7; ++n) counts.add(std::vector<uint64_t>{mix64(i)});
  }
  std::vector<uint64_t> expected = features;
  std::ranges::sort(expected,
                    [&](uint64_t a, uint64_t b) { return counts.count(a) != counts.count(b) ? counts.count(a) < counts.count(b) : a < b; });
  std::vector<uint64_t> rarest;
  for (const size_t count : {0u, 1u, 20u, 50u}) {
    counts.rarest(features, count, rarest);
    EXPECT_EQ(rarest, std::vector<uint64_t>(expected.begin(), expected.begin() + static_cast<ptrdiff_t>(count)));
  }
}

}  // namespace
}  // namespace neardup
