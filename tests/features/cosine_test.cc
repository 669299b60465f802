// The cosine in integers against exact arithmetic of any length: floor(10^6 * cosine), to the last millionth.
#include "features/cosine.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <vector>

namespace neardup {
namespace {

using boost::multiprecision::cpp_int;

constexpr uint64_t kMaxWeight = std::numeric_limits<int32_t>::max();

struct Owned {
  std::vector<uint64_t> features;
  std::vector<uint64_t> weights;
  [[nodiscard]] WeightedSet view() const { return {features, weights}; }
};

Owned owned(const std::map<uint64_t, uint64_t>& weights) {
  Owned made;
  for (const auto& [feature, weight] : weights) {
    made.features.push_back(feature);
    made.weights.push_back(weight);
  }
  return made;
}

// What the two sets have in the formula, as whole numbers of any length.
struct Exact {
  Exact(const Owned& a, const Owned& b) {
    std::map<uint64_t, uint64_t> of_b;
    for (size_t i = 0; i < b.features.size(); ++i) of_b[b.features[i]] = b.weights[i];
    for (size_t i = 0; i < a.features.size(); ++i) {
      if (of_b.count(a.features[i]) != 0) dot += cpp_int(a.weights[i]) * of_b[a.features[i]];
    }
    for (const uint64_t weight : a.weights) norm_a += cpp_int(weight) * weight;
    for (const uint64_t weight : b.weights) norm_b += cpp_int(weight) * weight;
  }
  // m <= 10^6 * dot / (|a| |b|), squared.
  [[nodiscard]] bool reaches(uint64_t m) const { return cpp_int(m) * m * norm_a * norm_b <= cpp_int(1'000'000) * 1'000'000 * dot * dot; }
  cpp_int dot, norm_a, norm_b;
};

void expect_exact(const Owned& a, const Owned& b) {
  const uint32_t millionths = cosine_millionths(a.view(), b.view());
  const Exact exact(a, b);
  ASSERT_LE(millionths, 1'000'000u);
  ASSERT_TRUE(exact.reaches(millionths)) << millionths << " is too much";
  ASSERT_FALSE(exact.reaches(millionths + 1)) << millionths << " is too little";
  ASSERT_EQ(cosine_millionths(b.view(), a.view()), millionths) << "not symmetric";
}

// Two sets with features in common; weights of `bits` bits at most, of very different sizes within one set.
std::pair<Owned, Owned> random_pair(std::mt19937_64& random, uint32_t bits) {
  const uint64_t universe = 1 + random() % 60;
  std::map<uint64_t, uint64_t> sets[2];
  for (auto& set : sets) {
    for (uint64_t count = 1 + random() % 40; count > 0; --count) set[random() % universe] = 1 + (random() >> (64 - 1 - random() % bits));
  }
  for (const auto& [feature, weight] : sets[0]) {
    if (random() % 3 != 0) sets[1][feature] = random() % 2 == 0 ? weight : 1 + weight / 2;
  }
  return {owned(sets[0]), owned(sets[1])};
}

TEST(Cosine, EqualsExactArithmetic) {
  std::mt19937_64 random(1);
  // 25 bits twice and 6 of the count stay below 63: no shift. Those of a real recipe: tf * idf * 2^16.
  for (int round = 0; round < 20'000; ++round) {
    const auto [a, b] = random_pair(random, 1 + static_cast<uint32_t>(random() % 25));
    expect_exact(a, b);
  }
}

TEST(Cosine, AFeatureAloneMayHaveAnyWeight) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 2000; ++round) {
    const auto weight = [&] { return round % 2 == 0 ? kMaxWeight - random() % 3 : 1 + random() % kMaxWeight; };
    expect_exact(owned({{7, weight()}}), owned({{random() % 2 + 6, weight()}}));
  }
}

// Squares that could sum to 2^63: weights are scaled down by a power of two first, which moves the cosine by less than a millionth or two.
TEST(Cosine, HeavySetsStayCloseToTheTruth) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    std::map<uint64_t, uint64_t> sets[2];
    for (uint64_t feature = 0; feature < 200 + random() % 3000; ++feature) {
      const uint64_t weight = kMaxWeight / 2 + random() % (kMaxWeight / 2);
      if (random() % 4 != 0) sets[0][feature] = weight;
      if (random() % 4 != 0) sets[1][feature] = random() % 2 == 0 ? weight : kMaxWeight;
    }
    const Owned a = owned(sets[0]);
    const Owned b = owned(sets[1]);
    const Exact exact(a, b);
    const long double truth = static_cast<long double>(exact.dot) / std::sqrt(static_cast<long double>(exact.norm_a)) /
                              std::sqrt(static_cast<long double>(exact.norm_b));
    ASSERT_NEAR(cosine_millionths(a.view(), b.view()), static_cast<double>(truth * 1e6L), 2);
  }
}

TEST(Cosine, EqualSetsHaveOneAndDisjointOnesNothing) {
  std::mt19937_64 random(4);
  for (const uint64_t most : {uint64_t{1}, uint64_t{1000}, kMaxWeight}) {
    for (const size_t count : {1u, 2u, 3u, 100u, 70'000u}) {
      std::map<uint64_t, uint64_t> set;
      std::map<uint64_t, uint64_t> other;
      while (set.size() < count) set[random() | 1] = most == 1 ? 1 : most - random() % std::min<uint64_t>(most, 5);
      for (const auto& [feature, weight] : set) other[feature & ~uint64_t{1}] = weight;
      EXPECT_EQ(cosine_millionths(owned(set).view(), owned(set).view()), 1'000'000u) << count << " of " << most;
      EXPECT_EQ(cosine_millionths(owned(set).view(), owned(other).view()), 0u) << count << " of " << most;
    }
  }
}

TEST(Cosine, EmptySets) {
  const Owned some = owned({{1, 5}});
  EXPECT_EQ(cosine_millionths({}, {}), 1'000'000u);
  EXPECT_EQ(cosine_millionths(some.view(), {}), 0u);
  EXPECT_EQ(cosine_millionths({}, some.view()), 0u);
}

// By hand: (3, 4) and (4, 3) have 24/25; (1, 1) and (1, 0) have the half root of 2; (1, 2, 2) and (2, 1, 2) have 8/9.
TEST(Cosine, KnownValues) {
  EXPECT_EQ(cosine_millionths(owned({{1, 3}, {2, 4}}).view(), owned({{1, 4}, {2, 3}}).view()), 960'000u);
  EXPECT_EQ(cosine_millionths(owned({{1, 1}, {2, 1}}).view(), owned({{1, 1}}).view()), 707'106u);
  EXPECT_EQ(cosine_millionths(owned({{1, 1}, {2, 2}, {3, 2}}).view(), owned({{1, 2}, {2, 1}, {3, 2}}).view()), 888'888u);
  EXPECT_EQ(cosine_millionths(owned({{1, 1}}).view(), owned({{1, kMaxWeight}, {2, 1}}).view()), 999'999u);
}

}  // namespace
}  // namespace neardup
