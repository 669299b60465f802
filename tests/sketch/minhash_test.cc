#include "sketch/minhash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "base/hash.h"
#include "base/limits.h"
#include "kernels/kernels.h"
#include "support/statistics.h"

namespace neardup {
namespace {

using testing::kImprobable;
using testing::random_sets;
using testing::z_score;

std::vector<uint32_t> sketch_of(const MinHasher& hasher, const std::vector<uint64_t>& features) {
  std::vector<uint32_t> signature(hasher.lanes());
  hasher.sketch(features, signature);
  return signature;
}

struct SetSizes {
  size_t common, only_a, only_b;
};
constexpr SetSizes kCases[] = {{0, 1, 1}, {0, 50, 50}, {1, 0, 1},    {1, 1, 1},   {2, 1, 0},
                               {8, 1, 1}, {50, 0, 50}, {80, 10, 10}, {100, 5, 0}, {1000, 100, 150}};

TEST(MinHash, OffsetsArePaddedToWholeBlocksOfLanes) {
  for (const uint32_t lanes : {1u, 16u, 17u, 100u, 128u, 129u, limits::kMaxLanes}) {
    const std::vector<uint32_t> offsets = padded_minhash_offsets(lanes, 5);
    EXPECT_GE(offsets.size(), lanes);
    EXPECT_LT(offsets.size(), lanes + kernels::kLaneBlock);
    EXPECT_EQ(offsets.size() % kernels::kLaneBlock, 0u);
    for (size_t lane = 0; lane < offsets.size(); ++lane) ASSERT_EQ(offsets[lane], minhash_offset(5, lane)) << lane << " of " << lanes;
  }
}

TEST(MinHash, CollisionProbabilityIsJaccard) {
  std::mt19937_64 random(1);
  for (const SetSizes& c : kCases) {
    const double jaccard = static_cast<double>(c.common) / static_cast<double>(c.common + c.only_a + c.only_b);
    const int trials = c.common + c.only_a + c.only_b > 500 ? 200 : 1500;
    const MinHasher hasher(128, 7);
    double equal = 0;
    for (int i = 0; i < trials; ++i) {
      const auto sets = random_sets(random, c.common, c.only_a, c.only_b);
      equal += equal_lanes(sketch_of(hasher, sets.a), sketch_of(hasher, sets.b));
    }
    EXPECT_LT(std::abs(z_score(equal, 128.0 * trials, jaccard)), kImprobable) << "J = " << jaccard << ", seen " << equal / 128 / trials;
  }
}

TEST(MinHash, LanesAreIndependent) {
  // If lanes were correlated, the number of equal lanes would spread wider than a binomial; its variance is n p (1 - p).
  std::mt19937_64 random(2);
  const MinHasher hasher(128, 3);
  for (const SetSizes& c : {SetSizes{10, 5, 5}, SetSizes{100, 50, 50}, SetSizes{400, 50, 50}}) {
    const double p = static_cast<double>(c.common) / static_cast<double>(c.common + c.only_a + c.only_b);
    constexpr int kTrials = 3000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kTrials; ++i) {
      const auto sets = random_sets(random, c.common, c.only_a, c.only_b);
      const double equal = equal_lanes(sketch_of(hasher, sets.a), sketch_of(hasher, sets.b));
      sum += equal;
      squares += equal * equal;
    }
    const double variance = squares / kTrials - (sum / kTrials) * (sum / kTrials);
    // The relative standard error of a variance over n trials is about sqrt(2 / n).
    EXPECT_NEAR(variance / (128 * p * (1 - p)), 1, kImprobable * std::sqrt(2.0 / kTrials)) << "J = " << p;
  }
}

TEST(MinHash, EqualSetsGiveEqualSignaturesForEveryLaneCount) {
  std::mt19937_64 random(3);
  for (uint32_t lanes = 1; lanes <= 300; ++lanes) {
    auto sets = random_sets(random, 40, 0, 0);
    std::shuffle(sets.b.begin(), sets.b.end(), random);
    sets.b.push_back(sets.b.front());  // repetitions do not count
    const MinHasher hasher(lanes, 5);
    EXPECT_EQ(sketch_of(hasher, sets.a), sketch_of(hasher, sets.b));
  }
}

TEST(MinHash, FewerLanesAreAPrefix) {
  std::mt19937_64 random(4);
  const auto sets = random_sets(random, 40, 0, 0);
  const auto many = sketch_of(MinHasher(256, 9), sets.a);
  const auto few = sketch_of(MinHasher(100, 9), sets.a);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
}

TEST(MinHash, BitsOfSingleFeaturesAreBalanced) {
  // With one feature a lane is its plain hash, which must be uniform in every bit.
  std::mt19937_64 random(5);
  const MinHasher hasher(64, 1);
  constexpr int kTrials = 20000;
  std::vector<double> ones(32, 0);
  for (int i = 0; i < kTrials; ++i) {
    for (const uint32_t lane : sketch_of(hasher, {random()})) {
      for (size_t bit = 0; bit < 32; ++bit) ones[bit] += (lane >> bit) & 1;
    }
  }
  for (size_t bit = 0; bit < 32; ++bit) EXPECT_LT(std::abs(z_score(ones[bit], 64.0 * kTrials, 0.5)), kImprobable) << "bit " << bit;
}

TEST(MinHash, EveryKernelEqualsTheSlowTwin) {
  std::mt19937_64 random(6);
  size_t count = 0;
  const auto* const* all = kernels::available(&count);
  for (size_t features : {0, 1, 2, 15, 16, 17, 1000}) {
    const auto sets = random_sets(random, features, 0, 0);
    std::vector<uint32_t> expected(192);
    minhash_reference(sets.a, 11, expected);
    for (size_t k = 0; k < count; ++k) {
      std::vector<uint32_t> offsets(192);
      for (size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<uint32_t>(splitmix64(11, i) >> 32);
      std::vector<uint32_t> signature(192, ~0u);
      all[k]->minhash_update(sets.a.data(), sets.a.size(), offsets.data(), signature.data(), signature.size());
      EXPECT_EQ(expected, signature) << all[k]->name << ", " << features << " features";
      for (size_t lanes = kernels::kLaneGroup; lanes < offsets.size(); lanes += kernels::kLaneGroup) {
        std::fill(signature.begin(), signature.end(), ~0u);
        all[k]->minhash_update(sets.a.data(), sets.a.size(), offsets.data(), signature.data(), lanes);
        const auto end = static_cast<ptrdiff_t>(lanes);
        EXPECT_TRUE(std::equal(signature.begin(), signature.begin() + end, expected.begin())) << all[k]->name << ", " << lanes << " lanes";
        EXPECT_TRUE(std::all_of(signature.begin() + end, signature.end(), [](uint32_t lane) { return lane == ~0u; }));
      }
    }
    EXPECT_EQ(expected, sketch_of(MinHasher(192, 11), sets.a));
  }
}

TEST(MinHash, ChecksumOver30000RandomSets) {
  // A change of this value is a change of every persisted sketch: it needs a new version of the sketch, never a new constant. The same
  // number comes out of tests/sketch/minhash_checksum.py, which follows the definition in docs/recipe.md with Python's integers.
  std::mt19937_64 random(42);
  const MinHasher hasher(16, 1);
  uint64_t checksum = 0;
  for (int i = 0; i < 30000; ++i) {
    std::vector<uint64_t> features(1 + random() % 20);
    for (uint64_t& feature : features) feature = random();
    for (const uint32_t lane : sketch_of(hasher, features)) checksum = (checksum ^ lane) * 0x100000001B3u;
  }
  EXPECT_EQ(checksum, 0x34759D400B9CFCBAu);
}

TEST(MinHash, WilsonInterval) {
  // Values of the worked example in E. B. Wilson's formula, computed by hand with z = 1.96 for 8 of 10 and checked in exact arithmetic.
  const Interval interval = wilson_95(8, 10);
  EXPECT_NEAR(interval.low, 0.4901625, 1e-6);
  EXPECT_NEAR(interval.high, 0.9433178, 1e-6);
  EXPECT_NEAR(wilson_95(0, 128).low, 0, 1e-12);
  EXPECT_NEAR(wilson_95(128, 128).high, 1, 1e-12);
}

}  // namespace
}  // namespace neardup
