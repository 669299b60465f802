// The weighted Jaccard similarity in integers against exact arithmetic of any length: to the last millionth.
#include "features/weighted_jaccard.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <limits>
#include <map>
#include <random>
#include <vector>

namespace neardup {
namespace {

using boost::multiprecision::cpp_int;

struct WeighedMap {
  std::map<uint64_t, uint64_t> weights;

  [[nodiscard]] uint64_t of(uint64_t feature) const {
    const auto found = weights.find(feature);
    return found == weights.end() ? 0 : found->second;
  }
};

uint32_t measured(const WeighedMap& a, const WeighedMap& b) {
  std::vector<uint64_t> parts[4];
  for (const auto& [feature, weight] : a.weights) {
    parts[0].push_back(feature);
    parts[1].push_back(weight);
  }
  for (const auto& [feature, weight] : b.weights) {
    parts[2].push_back(feature);
    parts[3].push_back(weight);
  }
  return weighted_jaccard_millionths({parts[0], parts[1]}, {parts[2], parts[3]});
}

uint32_t defined(const WeighedMap& a, const WeighedMap& b) {
  std::map<uint64_t, int> all;
  for (const auto& [feature, weight] : a.weights) all[feature] = 1;
  for (const auto& [feature, weight] : b.weights) all[feature] = 1;
  cpp_int smaller = 0;
  cpp_int larger = 0;
  for (const auto& [feature, one] : all) {
    smaller += std::min(a.of(feature), b.of(feature));
    larger += std::max(a.of(feature), b.of(feature));
  }
  return larger == 0 ? 1'000'000 : static_cast<uint32_t>(cpp_int(smaller * 1'000'000 / larger));
}

TEST(WeightedJaccard, IsTheDefinitionToTheLastMillionth) {
  std::mt19937_64 random(4);
  for (const uint64_t heaviest : {uint64_t{1}, uint64_t{7}, uint64_t{1} << 20, uint64_t{std::numeric_limits<int32_t>::max()}}) {
    for (int round = 0; round < 2000; ++round) {
      WeighedMap a;
      WeighedMap b;
      for (uint64_t n = random() % 40; n > 0; --n) a.weights[random() % 50] = 1 + random() % heaviest;
      for (uint64_t n = random() % 40; n > 0; --n) b.weights[random() % 50] = 1 + random() % heaviest;
      ASSERT_EQ(measured(a, b), defined(a, b));
      ASSERT_EQ(measured(b, a), defined(a, b));
      ASSERT_EQ(measured(a, a), 1'000'000u);
    }
  }
}

TEST(WeightedJaccard, ExactlyAtAThreshold) {
  EXPECT_EQ(measured({{{1, 4}, {2, 1}}}, {{{1, 4}}}), 800'000u);
  EXPECT_EQ(measured({{{1, 3'999'999}, {2, 1'000'001}}}, {{{1, 3'999'999}}}), 799'999u);
  EXPECT_EQ(measured({{{1, 2}}}, {{{1, 3}}}), 666'666u);
  EXPECT_EQ(measured({{{1, 2}}}, {{{2, 3}}}), 0u);
  EXPECT_EQ(measured({{{1, 2}}}, {}), 0u);
  EXPECT_EQ(measured({}, {}), 1'000'000u);
}

TEST(WeightedJaccard, DoesNotOverflow) {
  WeighedMap heavy;
  for (uint64_t feature = 0; feature < 100'000; ++feature) heavy.weights[feature] = std::numeric_limits<int32_t>::max();
  WeighedMap half = heavy;
  for (uint64_t feature = 0; feature < 100'000; feature += 2) half.weights.erase(feature);
  EXPECT_EQ(measured(heavy, half), 500'000u);
}

}  // namespace
}  // namespace neardup
