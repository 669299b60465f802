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

}  // namespace
}  // namespace neardup
