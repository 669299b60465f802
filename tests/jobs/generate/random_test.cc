#include "jobs/generate/random.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <vector>

namespace neardup::generate_detail {
namespace {

TEST(GenerateRandom, IsSplitMix64) {
  // The first outputs of the published generator with seed 1234567.
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

TEST(GenerateRandom, BelowIsUniform) {
  Random random(1);
  constexpr size_t kBound = 7;
  constexpr size_t kDraws = 70'000;
  std::vector<size_t> counts(kBound);
  for (size_t i = 0; i < kDraws; ++i) ++counts.at(random.below(kBound));
  for (const size_t count : counts) EXPECT_NEAR(static_cast<double>(count), 10'000.0, 500.0);  // more than five standard deviations
  EXPECT_EQ(random.below(1), 0u);
}

TEST(GenerateRandom, ChoosesEverySetEquallyOften) {
  Random random(2);
  std::map<std::vector<size_t>, size_t> counts;
  for (int i = 0; i < 10'000; ++i) ++counts[random.choose(2, 5)];
  EXPECT_EQ(counts.size(), 10u);
  for (const auto& [set, count] : counts) {
    EXPECT_LT(set[0], set[1]);
    EXPECT_NEAR(static_cast<double>(count), 1000.0, 160.0);
  }
  EXPECT_TRUE(random.choose(0, 5).empty());
  EXPECT_EQ(random.choose(3, 3), (std::vector<size_t>{0, 1, 2}));
}

TEST(GenerateRandom, RotatingLeavesNothingInItsPlace) {
  Random random(3);
  for (size_t size = 2; size < 20; ++size) {
    std::vector<size_t> items(size);
    std::iota(items.begin(), items.end(), size_t{0});
    random.rotate(items);
    for (size_t i = 0; i < size; ++i) EXPECT_NE(items[i], i);
    EXPECT_EQ(std::set<size_t>(items.begin(), items.end()).size(), size);
  }
}

}  // namespace
}  // namespace neardup::generate_detail
