#include "jobs/tune/valley.h"

#include <gtest/gtest.h>

namespace neardup {
namespace {

constexpr size_t kLast = SamplePairs::kBands - 1;

TEST(ValleyTest, LiesBetweenNearDuplicatesAndTextsThatAreAlike) {
  EXPECT_EQ(find_valley({900, 500, 200, 40, 90, 200, 300, 300, 300, 400}, 0, kLast), 3u);
}

TEST(ValleyTest, BeginsWhereItsFloorBegins) {
  EXPECT_EQ(find_valley({900, 55, 50, 52, 90, 200, 300, 300, 300, 400}, 0, kLast), 1u);
}

TEST(ValleyTest, IsLookedForInsideTheRangeOnly) {
  EXPECT_EQ(find_valley({10, 10, 200, 60, 90, 200, 300, 300, 300, 400}, 2, 6), 3u);
  EXPECT_EQ(find_valley({10, 10, 20, 60, 90, 200, 300, 300, 300, 400}, 2, 6), 2u);
}

TEST(ValleyTest, NeedsMorePairsOnTheUpperSide) {
  EXPECT_EQ(find_valley({900, 800, 700, 600, 500, 400, 300, 200, 100, 50}, 0, 6), std::nullopt);
  EXPECT_EQ(find_valley({100, 100, 100, 100, 100, 100, 100, 100, 100, 100}, 0, 6), std::nullopt);
}

TEST(ValleyTest, NeedsEnoughPairs) {
  EXPECT_EQ(find_valley({8, 3, 2, 0, 1, 2, 3, 3, 3, 4}, 0, kLast), std::nullopt);
  EXPECT_EQ(find_valley({}, 0, kLast), std::nullopt);
}

// Bands whose groups are chains are not where a threshold belongs, even if pairs are few there.
TEST(ValleyTest, GroupsThatHoldTogetherDecideFirst) {
  const PairDensities pairs{900, 500, 200, 40, 90, 200, 300, 300, 300, 400};
  const auto chosen = choose_band(pairs, {0.3, 0.4, 0.5, 0.6, 0.7, 0.9, 0.8, 0.8, 0.9, 1}, 0, 7);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->band, 5u);
  EXPECT_EQ(chosen->sign, ChosenBand::kCohesion);
}

TEST(ValleyTest, TheValleyDecidesAmongBandsThatHoldTogetherAsWell) {
  const PairDensities pairs{900, 500, 200, 40, 90, 200, 300, 300, 300, 400};
  for (const double low : {0.3, 1.0}) {
    const auto chosen = choose_band(pairs, {low, low, 1, 1, 1, 1, 1, 1, 1, 1}, 0, kLast);
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->band, 3u);
    EXPECT_EQ(chosen->sign, ChosenBand::kValley);
  }
}

TEST(ValleyTest, ChainsEverywhereAreNoSign) {
  const PairDensities pairs{900, 500, 200, 40, 90, 200, 300, 300, 300, 400};
  const auto chosen = choose_band(pairs, {0.1, 0.1, 0.1, 0.1, 0.1, 0.2, 0.3, 0.4, 0.45, 0.9}, 0, 8);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->band, 3u);
}

TEST(ValleyTest, NothingIsChosenWithoutASign) {
  const PairDensities flat{100, 100, 100, 100, 100, 100, 100, 100, 100, 100};
  EXPECT_FALSE(choose_band(flat, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 0, 6));
  EXPECT_FALSE(choose_band({}, {0.5, 0.9, 1, 1, 1, 1, 1, 1, 1, 1}, 0, 6));
  // Of equally good bands without a valley, the lowest.
  EXPECT_EQ(choose_band(flat, {0.5, 0.9, 0.9, 0.6, 0.9, 0, 0, 0, 0, 1}, 0, 6)->band, 1u);
}

}  // namespace
}  // namespace neardup
