#include "sketch/simhash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "base/hash.h"
#include "support/statistics.h"

namespace neardup {
namespace {

using testing::kImprobable;
using testing::random_sets;
using testing::z_score;

std::vector<WeightedFeature> weighted(const std::vector<uint64_t>& features, int32_t weight = 1) {
  std::vector<WeightedFeature> made;
  for (const uint64_t feature : features) made.push_back({feature, weight});
  return made;
}

double angle(const std::vector<WeightedFeature>& a, const std::vector<WeightedFeature>& b) {
  std::map<uint64_t, double> of_a;
  double squares_a = 0;
  double squares_b = 0;
  double product = 0;
  for (const WeightedFeature& each : a) {
    of_a[each.hash] = each.weight;
    squares_a += static_cast<double>(each.weight) * each.weight;
  }
  for (const WeightedFeature& each : b) {
    squares_b += static_cast<double>(each.weight) * each.weight;
    if (const auto found = of_a.find(each.hash); found != of_a.end()) product += found->second * each.weight;
  }
  return std::acos(std::min(1.0, product / std::sqrt(squares_a * squares_b)));
}

TEST(SimHash, DistanceFollowsTheAngle) {
  struct Case {
    size_t common, only_a, only_b;
  };
  std::mt19937_64 random(1);
  for (const Case& c : {Case{0, 400, 400}, Case{100, 300, 300}, Case{200, 200, 200}, Case{300, 100, 200}, Case{360, 40, 40},
                        Case{400, 0, 100}, Case{390, 10, 10}}) {
    constexpr int kTrials = 300;
    double differ[2] = {};
    double expected = 0;
    for (int i = 0; i < kTrials; ++i) {
      const auto sets = random_sets(random, c.common, c.only_a, c.only_b);
      auto a = weighted(sets.a);
      auto b = weighted(sets.b);
      for (WeightedFeature& each : a) each.weight = static_cast<int32_t>(random() % 1000) + 1;
      for (WeightedFeature& each : b) each.weight = static_cast<int32_t>(random() % 1000) + 1;
      for (size_t s = 0; s < c.common; ++s) b[s].weight = a[s].weight + static_cast<int32_t>(random() % 100);
      const auto x = simhash128(a);
      const auto y = simhash128(b);
      differ[0] += std::popcount(x->low ^ y->low);
      differ[1] += std::popcount(x->high ^ y->high);
      expected += angle(a, b) / std::numbers::pi / kTrials;
    }
    for (const double seen : differ) EXPECT_LT(std::abs(z_score(seen, 64.0 * kTrials, expected)), kImprobable) << "expected " << expected;
    EXPECT_LT(std::abs(z_score(differ[0] + differ[1], 128.0 * kTrials, expected)), kImprobable) << "expected " << expected;
  }
}

TEST(SimHash, BitsAreIndependent) {
  // If bits were correlated, distances would spread wider than a binomial; its variance is n p (1 - p).
  std::mt19937_64 random(2);
  constexpr int kTrials = 4000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kTrials; ++i) {
    const auto sets = random_sets(random, 151, 50, 50);
    const double distance = hamming_distance(*simhash128(sets.a), *simhash128(sets.b));
    sum += distance;
    squares += distance * distance;
  }
  const double p = sum / kTrials / 128;
  const double variance = squares / kTrials - (sum / kTrials) * (sum / kTrials);
  EXPECT_NEAR(variance / (128 * p * (1 - p)), 1, kImprobable * std::sqrt(2.0 / kTrials));
}

TEST(SimHash, EveryBitIsBalancedWhereThereAreNoTies) {
  std::mt19937_64 random(3);
  constexpr int kTrials = 20000;
  std::vector<double> ones(128);
  for (int i = 0; i < kTrials; ++i) {
    const auto made = simhash128(random_sets(random, 1 + 2 * (random() % 10), 0, 0).a);
    for (size_t bit = 0; bit < 64; ++bit) {
      ones[bit] += static_cast<double>(made->low >> bit & 1);
      ones[64 + bit] += static_cast<double>(made->high >> bit & 1);
    }
  }
  for (size_t bit = 0; bit < 128; ++bit) EXPECT_LT(std::abs(z_score(ones[bit], kTrials, 0.5)), kImprobable) << "bit " << bit;
}

TEST(SimHash, TiesAreNotBiased) {
  // With 2 to 20 features, up to half of the bits are ties. All of them as 0 would leave far fewer ones than zeros.
  std::mt19937_64 random(4);
  constexpr int kTrials = 20000;
  double ones = 0;
  for (int i = 0; i < kTrials; ++i) {
    const auto made = simhash128(random_sets(random, 2 + 2 * (random() % 10), 0, 0).a);
    ones += std::popcount(made->low) + std::popcount(made->high);
  }
  EXPECT_LT(std::abs(z_score(ones, 128.0 * kTrials, 0.5)), kImprobable);
}

TEST(SimHash, ATieGivesTheParityOfThePlace) {
  std::mt19937_64 random(5);
  const uint64_t x = random();
  const std::vector<uint64_t> opposite = {x, ~x};
  EXPECT_EQ(simhash64(opposite)->low, 0xAAAAAAAAAAAAAAAAu);
  const std::vector<WeightedFeature> cancelled = {{x, 5}, {random(), 3}, {x, -5}, {0, -3}};
  const auto made = simhash128(cancelled);
  EXPECT_EQ(made, simhash_reference(cancelled));
  EXPECT_EQ(made->low & ~cancelled[1].hash, 0xAAAAAAAAAAAAAAAAu & ~cancelled[1].hash);  // where the third has 0, it ties with the 0
  EXPECT_EQ(made->low & cancelled[1].hash, cancelled[1].hash);                          // elsewhere it wins
}

TEST(SimHash, HalvesAreNotCorrelated) {
  std::mt19937_64 random(6);
  constexpr int kTrials = 4000;
  std::vector<double> agree(64 * 64);
  for (int i = 0; i < kTrials; ++i) {
    const auto made = simhash128(random_sets(random, 1 + 2 * (random() % 10), 0, 0).a);  // odd: ties agree by design
    for (size_t bit = 0; bit < 64; ++bit) {
      const uint64_t same = ~(made->high ^ ((made->low >> bit & 1) != 0 ? ~uint64_t{0} : 0));
      for (size_t other = 0; other < 64; ++other) agree[bit * 64 + other] += static_cast<double>(same >> other & 1);
    }
  }
  double worst = 0;
  for (const double each : agree) worst = std::max(worst, std::abs(z_score(each, kTrials, 0.5)));
  EXPECT_LT(worst, 5.5);  // of 4,096 values; the probability to pass is 1.6e-4
}

TEST(SimHash, OrderDoesNotMatter) {
  std::mt19937_64 random(7);
  for (size_t size = 1; size < 200; ++size) {
    std::vector<WeightedFeature> features(size);
    for (WeightedFeature& each : features) each = {random(), static_cast<int32_t>(random() % 9) - 4};
    const auto before = simhash128(features);
    std::shuffle(features.begin(), features.end(), random);
    EXPECT_EQ(simhash128(features), before);
  }
}

TEST(SimHash, EqualsTheSlowTwin) {
  std::mt19937_64 random(8);
  for (size_t size = 0; size < 400; ++size) {
    for (const uint64_t most : {1u, 2u, 1000u, 0x7FFF'FFFFu}) {
      std::vector<WeightedFeature> features(size);
      std::vector<uint64_t> plain;
      for (WeightedFeature& each : features) {
        each = {random(), static_cast<int32_t>(random() % most) + 1};
        if (most > 1 && random() % 3 == 0) each.weight = -each.weight;
        plain.push_back(each.hash);
      }
      const auto expected = simhash_reference(features);
      ASSERT_EQ(simhash128(features), expected) << size << " features up to " << most;
      ASSERT_EQ(simhash64(features), expected ? std::optional(expected->low_half()) : std::nullopt);
      if (most > 1) continue;
      ASSERT_EQ(simhash128(plain), expected);
      ASSERT_EQ(simhash64(plain), expected ? std::optional(expected->low_half()) : std::nullopt);
    }
  }
}

TEST(SimHash, WithoutWeightThereIsNoFingerprint) {
  EXPECT_EQ(simhash64(std::vector<uint64_t>{}), std::nullopt);
  EXPECT_EQ(simhash128(std::vector<uint64_t>{}), std::nullopt);
  const std::vector<WeightedFeature> weightless = {{1, 0}, {2, 0}};
  EXPECT_EQ(simhash64(weightless), std::nullopt);
  EXPECT_EQ(simhash128(weightless), std::nullopt);
  EXPECT_EQ(simhash_reference(weightless), std::nullopt);
}

TEST(SimHash, CountsPieceByPiece) {
  std::mt19937_64 random(9);
  const auto all = random_sets(random, 1000, 0, 0).a;
  BitCounts pieces;
  for (size_t at = 0, size = 0; at < all.size(); at += size) {
    size = std::min<size_t>(random() % 90, all.size() - at);
    pieces.add({all.data() + at, size});
  }
  EXPECT_EQ(pieces.added(), 1000u);
  const auto [more, half] = pieces.majority();
  EXPECT_EQ(more | (half & kSimhashTies), simhash64(all)->low);
}

// The values below come out of tests/sketch/simhash_checksum.py, which follows the definition in docs/simhash.md with Python's integers.
TEST(SimHash, Vectors) {
  const auto hex = [](const std::vector<WeightedFeature>& features) { return to_hex(*simhash128(features)); };
  EXPECT_EQ(hex({{0, 1}}), "e220a8397b1dcdaf0000000000000000");
  EXPECT_EQ(hex({{0x8044f8a624582c4c, 1}, {0xd342d59876b9ac2c, 1}}), "03b29b8bdc5bca6a8242f8aa26b8ac2c");
  EXPECT_EQ(hex({{0x8044f8a624582c4c, 3}, {0xd342d59876b9ac2c, -2}, {1, 1}}), "87afab70000acac28004a8a620482848");
  EXPECT_EQ(hex({{0x8044f8a624582c4c, 1}, {0xd342d59876b9ac2c, 1}, {0x73fb58f85bcb9f8b, 1}}), "45365bdd5c5bcc4fd342d8b876d9ac0c");
}

TEST(SimHash, ChecksumOver30000RandomSets) {
  // A change of these is a change of every persisted fingerprint: it needs a new version of the sketch, never a new constant.
  std::mt19937_64 random(42);
  uint64_t checksums[2] = {};
  for (int i = 0; i < 30000; ++i) {
    std::vector<uint64_t> plain(1 + random() % 20);
    for (uint64_t& each : plain) each = random();
    auto features = weighted(plain);
    for (WeightedFeature& each : features) each.weight = static_cast<int32_t>(random() % 15) - 7;
    const std::optional<Fingerprint128> made[2] = {simhash128(plain), simhash128(features)};
    for (size_t which = 0; which < 2; ++which) {
      const Fingerprint128 one = made[which].value_or(Fingerprint128{});
      checksums[which] = (checksums[which] ^ one.low ^ mix64(one.high)) * 0x100000001B3u;
    }
  }
  EXPECT_EQ(checksums[0], 0x55be4f3568ef25ecu);
  EXPECT_EQ(checksums[1], 0x696c45b14cc8ad9du);
}

}  // namespace
}  // namespace neardup
