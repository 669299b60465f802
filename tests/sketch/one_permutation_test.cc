#include "sketch/one_permutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "base/hash.h"
#include "index/lsh/lsh_plan.h"
#include "index/lsh/signature_filter.h"
#include "sketch/minhash.h"
#include "support/statistics.h"

namespace neardup {
namespace {

using testing::kImprobable;
using testing::random_sets;
using testing::z_score;

std::vector<uint32_t> one_permutation_of(const OnePermutationHasher& hasher, const std::vector<uint64_t>& features) {
  std::vector<uint32_t> signature(hasher.lanes());
  hasher.sketch(features, signature);
  return signature;
}

std::vector<uint32_t> by_definition(const std::vector<uint64_t>& features, uint64_t seed, uint32_t lanes) {
  std::vector<uint32_t> signature(lanes);
  one_permutation_reference(features, seed, signature);
  return signature;
}

// Random features that fall into this bin of all.
std::vector<uint64_t> features_in_bin(std::mt19937_64& random, uint64_t seed, uint64_t bin, uint64_t lanes, size_t count) {
  std::vector<uint64_t> found;
  while (found.size() < count) {
    const uint64_t feature = random();
    const uint64_t hash = mix64(feature ^ splitmix64(seed, uint64_t{1} << 32));
    if ((hash & 0xFFFF'FFFFu) * lanes >> 32 == bin) found.push_back(feature);
  }
  return found;
}

struct PairSizes {
  size_t common, only_a, only_b;
  [[nodiscard]] size_t united() const { return common + only_a + only_b; }
  [[nodiscard]] double jaccard() const { return static_cast<double>(common) / static_cast<double>(united()); }
};
// Those of minhash_test.cc, and small sets, most of whose bins are empty.
constexpr PairSizes kPairs[] = {{0, 1, 1}, {0, 50, 50}, {1, 0, 1},  {1, 1, 1},   {2, 1, 0},   {8, 1, 1},       {50, 0, 50},
                                {4, 1, 0}, {5, 3, 2},   {16, 2, 2}, {20, 15, 5}, {40, 5, 5},  {40, 0, 10},     {80, 10, 10},
                                {3, 0, 9}, {100, 5, 0}, {64, 0, 0}, {2, 40, 0},  {300, 1, 9}, {1000, 100, 150}};

TEST(OnePermutation, CollisionProbabilityIsJaccard) {
  std::mt19937_64 random(1);
  for (const uint32_t lanes : {128u, 100u}) {
    const OnePermutationHasher hasher(lanes, 7);
    for (const PairSizes& c : kPairs) {
      const int trials = c.united() > 500 ? 200 : 1500;
      double equal = 0;
      for (int i = 0; i < trials; ++i) {
        const auto sets = random_sets(random, c.common, c.only_a, c.only_b);
        equal += equal_lanes(one_permutation_of(hasher, sets.a), one_permutation_of(hasher, sets.b));
      }
      EXPECT_LT(std::abs(z_score(equal, 1.0 * lanes * trials, c.jaccard())), kImprobable)
          << c.common << "+" << c.only_a << "+" << c.only_b << ", J = " << c.jaccard() << ", seen " << equal / lanes / trials;
    }
  }
}

TEST(OnePermutation, EqualLanesSpreadNoWiderThanIndependentOnes) {
  // The variance of independent lanes is n p (1 - p). Where bins are drawn without replacement, it is less: down to 0.6 of that.
  std::mt19937_64 random(2);
  const OnePermutationHasher hasher(128, 3);
  for (const PairSizes& c : {PairSizes{1, 1, 0}, PairSizes{4, 1, 0}, PairSizes{8, 1, 1}, PairSizes{10, 5, 5}, PairSizes{25, 3, 2},
                             PairSizes{40, 5, 5}, PairSizes{100, 50, 50}, PairSizes{400, 50, 50}}) {
    const double p = c.jaccard();
    constexpr int kTrials = 3000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kTrials; ++i) {
      const auto sets = random_sets(random, c.common, c.only_a, c.only_b);
      const double equal = equal_lanes(one_permutation_of(hasher, sets.a), one_permutation_of(hasher, sets.b));
      sum += equal;
      squares += equal * equal;
    }
    const double variance = squares / kTrials - (sum / kTrials) * (sum / kTrials);
    const double ratio = variance / (128 * p * (1 - p));
    const double error = kImprobable * std::sqrt(2.0 / kTrials);
    EXPECT_LT(ratio, 1 + error) << c.united() << " features, J = " << p;
    EXPECT_GT(ratio, 0.58 * (1 - error)) << c.united() << " features, J = " << p;
  }
}

TEST(OnePermutation, BandsMissNoMorePairsThanPredicted) {
  // LshPlan counts on independent lanes.
  std::mt19937_64 random(3);
  const OnePermutationHasher hasher(128, 1);
  for (const LshPlan plan : {LshPlan{21, 6}, LshPlan{16, 8}, LshPlan{14, 9}}) {
    for (const PairSizes& c : {PairSizes{4, 1, 0}, PairSizes{8, 1, 1}, PairSizes{24, 3, 3}, PairSizes{40, 5, 5}, PairSizes{80, 10, 10},
                               PairSizes{160, 20, 20}, PairSizes{400, 50, 50}}) {
      constexpr int kTrials = 3000;
      int missed = 0;
      for (int i = 0; i < kTrials; ++i) {
        const auto sets = random_sets(random, c.common, c.only_a, c.only_b);
        const auto a = one_permutation_of(hasher, sets.a);
        const auto b = one_permutation_of(hasher, sets.b);
        bool meets = false;
        for (size_t band = 0; band < plan.bands && !meets; ++band) {
          const auto at = static_cast<ptrdiff_t>(band * plan.rows);
          meets = std::equal(a.begin() + at, a.begin() + at + plan.rows, b.begin() + at);
        }
        missed += !meets;
      }
      EXPECT_LT(z_score(missed, kTrials, plan.miss_probability(c.jaccard())), kImprobable)
          << plan.bands << " bands of " << plan.rows << ", " << c.united() << " features: " << missed << " of " << kTrials;
    }
  }
}

TEST(OnePermutation, EqualsTheSlowTwin) {
  std::mt19937_64 random(4);
  for (const uint32_t lanes : {1u, 2u, 3u, 63u, 64u, 65u, 100u, 128u, 129u, 1000u, 4095u, 4096u}) {
    const OnePermutationHasher hasher(lanes, 11);
    for (const size_t count : {0u, 1u, 2u, 17u, 130u, 700u}) {
      if (lanes > 1000 && count > 200) continue;  // slow
      const auto sets = random_sets(random, count, 0, 0);
      EXPECT_EQ(one_permutation_of(hasher, sets.a), by_definition(sets.a, 11, lanes)) << lanes << " lanes, " << count << " features";
    }
  }
}

TEST(OnePermutation, OrderAndRepetitionsDoNotCount) {
  std::mt19937_64 random(5);
  for (uint32_t lanes = 1; lanes <= 300; ++lanes) {
    auto sets = random_sets(random, 40, 0, 0);
    std::shuffle(sets.b.begin(), sets.b.end(), random);
    sets.b.push_back(sets.b.front());
    const OnePermutationHasher hasher(lanes, 5);
    EXPECT_EQ(one_permutation_of(hasher, sets.a), one_permutation_of(hasher, sets.b));
  }
}

TEST(OnePermutation, NoFeaturesGiveAllOnes) {
  for (const uint32_t lanes : {1u, 128u, 4096u}) {
    EXPECT_EQ(one_permutation_of(OnePermutationHasher(lanes, 1), {}), std::vector<uint32_t>(lanes, ~0u));
  }
}

TEST(OnePermutation, OneFeatureFillsAllLanesWithItsOwnHashes) {
  std::mt19937_64 random(6);
  const OnePermutationHasher hasher(128, 1);
  for (const uint64_t feature : {uint64_t{0}, ~uint64_t{0}, uint64_t{random()}}) {
    const auto signature = one_permutation_of(hasher, {feature});
    EXPECT_EQ(signature, one_permutation_of(hasher, std::vector<uint64_t>(1000, feature)));
    EXPECT_EQ(std::set<uint32_t>(signature.begin(), signature.end()).size(), signature.size());
    // All but the lane of its bin are those of minhash_v1.
    std::vector<uint32_t> classic(128);
    minhash_reference(std::vector<uint64_t>{feature}, 1, classic);
    EXPECT_EQ(equal_lanes(signature, classic), 127u);
  }
}

TEST(OnePermutation, FeaturesThatAllFallIntoOneBin) {
  std::mt19937_64 random(7);
  constexpr uint32_t kLanes = 128;
  for (const uint64_t bin : {0u, 77u, 127u}) {
    const auto common = features_in_bin(random, 9, bin, kLanes, 40);
    const auto other = features_in_bin(random, 9, bin, kLanes, 10);
    std::vector<uint64_t> b = common;
    b.insert(b.end(), other.begin(), other.end());
    const OnePermutationHasher hasher(kLanes, 9);
    const auto of_a = one_permutation_of(hasher, common);
    const auto of_b = one_permutation_of(hasher, b);
    EXPECT_EQ(of_a, by_definition(common, 9, kLanes));
    EXPECT_EQ(of_b, by_definition(b, 9, kLanes));
    // Only one lane depends on the bins, so that the similarity is still seen.
    EXPECT_LT(std::abs(z_score(equal_lanes(of_a, of_b), kLanes, 0.8)), kImprobable);
  }
}

TEST(OnePermutation, DisjointSetsHaveNoLaneInCommon) {
  // Whether a lane is that of its bin or not: values of the two kinds do not meet either.
  std::mt19937_64 random(8);
  const OnePermutationHasher hasher(128, 1);
  uint32_t equal = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto sets = random_sets(random, 0, 1 + random() % 400, 1 + random() % 400);
    equal += equal_lanes(one_permutation_of(hasher, sets.a), one_permutation_of(hasher, sets.b));
  }
  EXPECT_LE(equal, 2u);  // of 384,000 lanes, each with a probability of about 2^-32
}

TEST(OnePermutation, BitsAreBalanced) {
  // With one feature, a lane is a plain hash. With more features than lanes, the high bits of a minimum are mostly 0, the others balanced.
  std::mt19937_64 random(9);
  const OnePermutationHasher hasher(64, 1);
  for (const size_t count : {1u, 500u}) {
    const int trials = count == 1 ? 20000 : 2000;
    std::vector<double> ones(32, 0);
    for (int i = 0; i < trials; ++i) {
      for (const uint32_t lane : one_permutation_of(hasher, random_sets(random, count, 0, 0).a)) {
        for (size_t bit = 0; bit < 32; ++bit) ones[bit] += (lane >> bit) & 1;
      }
    }
    const size_t bits = count == 1 ? 32 : 16;
    for (size_t bit = 0; bit < bits; ++bit) {
      EXPECT_LT(std::abs(z_score(ones[bit], 64.0 * trials, 0.5)), kImprobable) << "bit " << bit << ", " << count << " features";
    }
  }
}

TEST(OnePermutation, TheSignatureFilterSeesOneChanceAgreementInSixteen) {
  std::mt19937_64 random(10);
  const OnePermutationHasher hasher(128, 1);
  const SignatureFilter filter(128, Threshold::from_millionths(800'000));
  for (const size_t count : {1u, 20u, 130u, 2000u}) {
    const int trials = count > 1000 ? 200 : 2000;
    double agree = 0;
    for (int i = 0; i < trials; ++i) {
      const auto sets = random_sets(random, 0, count, count);
      std::vector<uint8_t> a;
      std::vector<uint8_t> b;
      filter.append_row(one_permutation_of(hasher, sets.a), a);
      filter.append_row(one_permutation_of(hasher, sets.b), b);
      agree += filter.agreement(a.data(), b.data());
    }
    EXPECT_LT(std::abs(z_score(agree, 128.0 * trials, 1.0 / 16)), kImprobable) << count << " features: " << agree / 128 / trials;
  }
}

TEST(OnePermutation, ChecksumOver30000RandomSets) {
  // A change of this value is a change of every persisted sketch: it needs a new version of the sketch, never a new constant. The same
  // number comes out of tests/sketch/one_permutation_checksum.py, which follows the definition in docs/recipe.md with Python's integers.
  std::mt19937_64 random(42);
  const OnePermutationHasher hasher(12, 1);
  uint64_t checksum = 0;
  for (int i = 0; i < 30000; ++i) {
    std::vector<uint64_t> features(1 + random() % 40);
    for (uint64_t& feature : features) feature = random();
    for (const uint32_t lane : one_permutation_of(hasher, features)) checksum = (checksum ^ lane) * 0x100000001B3u;
  }
  EXPECT_EQ(checksum, 0xD90ABB4C2F48C6A6u);
}

}  // namespace
}  // namespace neardup
