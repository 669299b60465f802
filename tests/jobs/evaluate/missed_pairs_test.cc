#include "neardup/tools/missed_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "base/hash.h"

namespace neardup {
namespace {

TEST(MissedPairs, FollowTheFormula) {
  // One band of one row finds half of the pairs of similarity 1/2; a found one represents one missed one, with the variance 1/2 / (1/2)^2.
  const std::vector<FoundPair> found{{1, 2, 0.5}};
  const MissedPairs missed = estimate_missed(found, 1, 1);
  EXPECT_EQ(missed.found, 1u);
  EXPECT_DOUBLE_EQ(missed.pairs, 1);
  EXPECT_DOUBLE_EQ(missed.recall(), 0.5);
  EXPECT_EQ(missed.low, 0);
  EXPECT_EQ(missed.high, 10);  // 1 + 1.96 sqrt(2 + 0.01) (e^2 - 1) / 2, rounded up
}

TEST(MissedPairs, NothingIsMissedByExactSearchesAndOfCopies) {
  const std::vector<FoundPair> found{{1, 2, 0.6}, {2, 3, 1}};
  const MissedPairs exact = estimate_missed(found, 0, 0);
  EXPECT_EQ(exact.pairs, 0);
  EXPECT_EQ(exact.high, 0);
  EXPECT_EQ(exact.recall(), 1);
  const MissedPairs copies = estimate_missed(std::span(found).subspan(1), 4, 4);
  EXPECT_EQ(copies.pairs, 0);
  EXPECT_EQ(copies.high, 0);
  EXPECT_EQ(estimate_missed({}, 4, 4).recall(), 1);
}

// Another document brings a pair together that no band would find.
TEST(MissedPairs, AreFinite) {
  const MissedPairs missed = estimate_missed(std::vector<FoundPair>{{1, 2, 1e-6}, {1, 3, 0.01}}, 1, 64);
  EXPECT_NEAR(missed.pairs, 2e6, 1);
  EXPECT_TRUE(std::isfinite(missed.high));
  EXPECT_LT(missed.high, 1e8);
}

TEST(MissedPairs, DoNotDependOnTheOrder) {
  std::mt19937_64 random(2);
  std::vector<FoundPair> found;
  for (int i = 0; i < 300; ++i) found.push_back({random() % 40, 100 + random() % 40, 0.5 + 0.05 * static_cast<double>(random() % 11)});
  const MissedPairs before = estimate_missed(found, 10, 5);
  std::ranges::shuffle(found, random);
  for (FoundPair& pair : found) std::swap(pair.a, pair.b);
  const MissedPairs after = estimate_missed(found, 10, 5);
  EXPECT_NEAR(before.pairs, after.pairs, 1e-9);
  EXPECT_NEAR(before.low, after.low, 1);
  EXPECT_NEAR(before.high, after.high, 1);
}

TEST(MissedPairs, SharedDocumentsWidenTheInterval) {
  std::vector<FoundPair> apart;
  std::vector<FoundPair> star;
  for (uint64_t i = 0; i < 400; ++i) {
    apart.push_back({2 * i, 2 * i + 1, 0.7});
    star.push_back({1000, i, 0.7});
  }
  const MissedPairs independent = estimate_missed(apart, 20, 6);
  const MissedPairs together = estimate_missed(star, 20, 6);
  EXPECT_NEAR(independent.pairs, together.pairs, 1e-9);
  // The binomial interval with a tenth of the estimate for what all pairs share, and one that is sqrt(400) as wide.
  const double variance = independent.pairs * (1 + independent.pairs / 400) + 0.01 * independent.pairs * independent.pairs;
  EXPECT_NEAR(independent.pairs - independent.low, 1.96 * std::sqrt(variance), 1.5);
  EXPECT_GT(together.high - together.pairs, 15 * (independent.high - independent.pairs));
}

// Texts as sets of numbers: a template, of which every copy has lost some members and has some of its own.
std::vector<std::vector<uint64_t>> copies_of_a_template(std::mt19937_64& random, size_t count) {
  std::vector<std::vector<uint64_t>> sets(count);
  std::vector<uint64_t> whole(60);
  for (uint64_t& member : whole) member = random();
  for (auto& set : sets) {
    const uint64_t changed = random() % 25;
    for (const uint64_t member : whole) set.push_back(random() % 100 < changed ? random() : member);
    std::ranges::sort(set);
  }
  return sets;
}

double jaccard_of(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  std::vector<uint64_t> common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  return static_cast<double>(common.size()) / static_cast<double>(a.size() + b.size() - common.size());
}

uint64_t min_hash(const std::vector<uint64_t>& set, uint64_t seed) {
  uint64_t least = ~uint64_t{0};
  for (const uint64_t member : set) least = std::min(least, mix64(member ^ seed));
  return least;
}

TEST(MissedPairs, TheIntervalHoldsTheTruth) {
  constexpr uint32_t kBands = 6;
  constexpr uint32_t kRows = 4;
  std::mt19937_64 random(5);
  int covered = 0;
  int covered_by_binomial = 0;
  constexpr int kTrials = 60;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<FoundPair> found;
    double missed = 0;
    double binomial = 0;
    uint64_t first = 0;
    for (const size_t count : {40, 25, 8, 5, 3, 3, 2, 2, 2, 2}) {
      const auto sets = copies_of_a_template(random, count);
      std::vector<std::vector<uint64_t>> lanes(count);
      for (size_t d = 0; d < count; ++d) {
        for (uint32_t lane = 0; lane < kBands * kRows; ++lane) {
          lanes[d].push_back(min_hash(sets[d], splitmix64(static_cast<uint64_t>(trial), lane)));
        }
      }
      for (size_t b = 0; b < count; ++b) {
        for (size_t a = 0; a < b; ++a) {
          const double s = jaccard_of(sets[a], sets[b]);
          if (s < 0.4) continue;
          bool met = false;
          for (size_t at = 0; at < lanes[a].size(); at += kRows) {
            met = met || std::equal(lanes[a].begin() + static_cast<ptrdiff_t>(at), lanes[a].begin() + static_cast<ptrdiff_t>(at + kRows),
                                    lanes[b].begin() + static_cast<ptrdiff_t>(at));
          }
          const double miss = std::pow(1 - std::pow(s, kRows), kBands);
          if (met) {
            found.push_back({first + a, first + b, s});
            binomial += miss / (1 - miss) / (1 - miss);
          }
          missed += !met;
        }
      }
      first += count;
    }
    const MissedPairs estimate = estimate_missed(found, kBands, kRows);
    covered += estimate.low <= missed && missed <= estimate.high;
    covered_by_binomial += std::abs(missed - estimate.pairs) <= 1.96 * std::sqrt(binomial);
  }
  EXPECT_GE(covered, 55);  // of 60, at 95 %
  EXPECT_LT(covered_by_binomial, 45);
}

}  // namespace
}  // namespace neardup
