#include "features/feature_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace neardup {
namespace {

RawVector<uint64_t> values(std::mt19937_64& random, size_t count, uint64_t mask) {
  RawVector<uint64_t> made(count);
  for (uint64_t& value : made) value = random() & mask;
  return made;
}

// Uniform hashes, many repetitions, and values that share their top bits (which the fast way does not like).
constexpr uint64_t kMasks[] = {~uint64_t{0}, 0xFF, 0xFFFF, uint64_t{0xFF} << 56, uint64_t{0xFFF} << 50};

TEST(FeatureSet, EqualsStdSet) {
  std::mt19937_64 random(1);
  RawVector<uint64_t> space;
  for (const uint64_t mask : kMasks) {
    for (const size_t count : {0, 1, 2, 24, 25, 26, 100, 160, 161, 300, 1536, 1537, 5000, 70'000}) {
      auto made = values(random, count, mask);
      const std::set<uint64_t> expected(made.begin(), made.end());
      make_feature_set(made, space);
      EXPECT_TRUE(std::equal(made.begin(), made.end(), expected.begin(), expected.end())) << count << " values, mask " << mask;
    }
  }
}

// Values that share their top bits, in an order that an insertion sort does not like: that must not take the square of their number.
TEST(FeatureSet, EqualTopBitsCostNoSquare) {
  constexpr uint64_t kCount = 400'000;
  RawVector<uint64_t> space;
  RawVector<uint64_t> descending;
  for (uint64_t i = kCount; i > 0; --i) descending.push_back(i);
  make_feature_set(descending, space);
  EXPECT_EQ(descending.size(), kCount);
  EXPECT_TRUE(std::ranges::is_sorted(descending));
  RawVector<uint64_t> least_again;  // it is far from its place, and already present
  for (uint64_t i = 0; i < kCount; ++i) least_again.push_back(i < kCount / 2 ? i : 0);
  make_feature_set(least_again, space);
  EXPECT_EQ(least_again.size(), kCount / 2);
  EXPECT_TRUE(std::ranges::is_sorted(least_again));
}

TEST(FeatureSet, DroppingRepetitionsKeepsTheSetAndTheOrder) {
  std::mt19937_64 random(3);
  for (const uint64_t mask : {~uint64_t{0}, uint64_t{0xFF}, uint64_t{0xFFFF}, uint64_t{0}}) {
    for (const size_t count : {0, 100, 1023, 1024, 5000, 50'000}) {
      const auto before = values(random, count, mask);
      auto after = before;
      drop_most_repetitions(after);
      EXPECT_EQ(std::set<uint64_t>(after.begin(), after.end()), std::set<uint64_t>(before.begin(), before.end()));
      size_t at = 0;  // a subsequence
      for (const uint64_t value : before) at += at < after.size() && after[at] == value;
      EXPECT_EQ(at, after.size());
      if (count >= 5000 && mask == 0xFF) {
        EXPECT_LE(after.size(), 256u);
      }
    }
  }
}

TEST(FeatureSet, DroppingAllRepetitionsKeepsTheSet) {
  std::mt19937_64 random(4);
  RawVector<uint64_t> space;
  for (const uint64_t mask : kMasks) {
    for (const size_t count : {0, 1, 2, 24, 25, 100, 1000, 5000, 40'000, 150'000}) {
      auto made = values(random, count, mask);
      for (size_t i = 1; i < count; i += 3) made[i] = made[random() % i];  // repetitions of hashes, too
      const std::set<uint64_t> expected(made.begin(), made.end());
      drop_repetitions(made, space);
      std::ranges::sort(made);
      EXPECT_TRUE(std::equal(made.begin(), made.end(), expected.begin(), expected.end())) << count << " values, mask " << mask;
    }
  }
}

TEST(FeatureSet, CommonEqualsStdSetIntersection) {
  std::mt19937_64 random(2);
  RawVector<uint64_t> space;
  for (int round = 0; round < 3000; ++round) {
    const size_t most = round % 10 == 0 ? 3000 : 200;  // large ones are scanned in parts
    auto a = values(random, random() % most, round % 2 == 0 ? 0x7F : 0x3FF);
    auto b = values(random, random() % most, 0x1FF);
    if (round % 3 == 0) {  // two that share much, out of all of the numbers
      a = values(random, random() % most, ~uint64_t{0});
      b = values(random, random() % 50, ~uint64_t{0});
      for (const uint64_t value : a) {
        if (random() % 8 != 0) b.push_back(value);
      }
    }
    make_feature_set(a, space);
    make_feature_set(b, space);
    RawVector<uint64_t> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    EXPECT_EQ(count_common(a, b), both.size());
    const uint64_t required = random() % (round % 2 == 0 ? 100 : both.size() + 10);
    const uint32_t at_least = count_common_at_least(a, b, required);
    if (both.size() >= required) {
      EXPECT_EQ(at_least, both.size());
    } else {
      EXPECT_LT(at_least, required);
    }
    const uint32_t least = 1 + static_cast<uint32_t>(random() % 50);
    EXPECT_EQ(has_distinct(a, least), a.size() >= least);
    auto repeated = a;
    repeated.insert(repeated.end(), a.begin(), a.end());
    EXPECT_EQ(has_distinct(repeated, least), a.size() >= least);
  }
}

}  // namespace
}  // namespace neardup
