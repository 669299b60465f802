#include "index/hamming_plan/bit_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "index/hamming_plan/hamming_cost.h"
#include "index/hamming_plan/hamming_layout.h"
#include "support/skewed_codes.h"

namespace neardup {
namespace {

using namespace testing;

template <typename Code>
class BitWeightsTest : public ::testing::Test {};
using Codes = ::testing::Types<Fingerprint64, Fingerprint128>;
TYPED_TEST_SUITE(BitWeightsTest, Codes);

TYPED_TEST(BitWeightsTest, UniformCodesHaveUniformWeights) {
  for (const size_t count : {100u, 3'000u, 50'000u}) {
    const auto codes = skewed_codes<TypeParam>(count, count, Skew::kNone);
    EXPECT_TRUE(BitWeights(hamming_statistics(std::span(codes))).uniform() || count == 100) << count;
  }
  EXPECT_TRUE(BitWeights(HammingStatistics::uniform(TypeParam::kBits, 1000)).uniform());
  EXPECT_EQ(total_worth(BitWeights(HammingStatistics::uniform(TypeParam::kBits, 1000))), TypeParam::kBits);
}

// How many of all pairs differ in at most `flips` bits of the block, by trying.
template <typename Code>
double slow_reach(const std::vector<Code>& codes, const std::vector<uint8_t>& block, uint32_t flips) {
  uint64_t near = 0;
  for (size_t a = 0; a < codes.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      uint32_t differ = 0;
      for (const uint8_t bit : block) differ += has_bit(codes[a], bit) != has_bit(codes[b], bit) ? 1 : 0;
      near += differ <= flips ? 1 : 0;
    }
  }
  return static_cast<double>(near) / (static_cast<double>(codes.size()) * static_cast<double>(codes.size() - 1) / 2);
}

TYPED_TEST(BitWeightsTest, ReachIsTheShareOfPairs) {
  for (const Skew skew : {Skew::kNone, Skew::kConstantBits, Skew::kRareBits, Skew::kMixed}) {
    const auto codes = skewed_codes<TypeParam>(5, 3'000, skew);
    const BitWeights weights(hamming_statistics(std::span(codes)));
    for (const std::vector<uint8_t>& block : {std::vector<uint8_t>{1, 2, 3, 4, 5, 6}, std::vector<uint8_t>{3, 22, 30, 41, 50, 63}}) {
      for (uint32_t flips = 0; flips <= 2; ++flips) {
        const double expected = slow_reach(codes, block, flips);
        EXPECT_NEAR(weights.reach(block, flips), expected, 0.12 * expected) << static_cast<int>(skew) << ' ' << flips;
      }
    }
  }
  // Two copies of a bit tell no more than one.
  const auto codes = skewed_codes<TypeParam>(5, 3'000, Skew::kRepeated);
  const BitWeights weights(hamming_statistics(std::span(codes)));
  EXPECT_NEAR(weights.reach(std::vector<uint8_t>{4, 9, 36, 41}, 0), 0.25, 0.01);
  EXPECT_NEAR(weights.reach(std::vector<uint8_t>{4, 9, 10, 41}, 0), 0.125, 0.01);
}

TEST(HammingCost, Decay) {
  for (double x = 0; x < 45; x += 0.37) EXPECT_NEAR(decay(x), std::exp(-x), 1e-4 * std::exp(-x) + 1e-15) << x;
}

TEST(HammingCost, WorthOfSkewedBits) {
  const auto codes = skewed_codes<Fingerprint64>(2, 60'000, Skew::kRareBits);
  const double agree = 0.125 * 0.125 + 0.875 * 0.875;
  EXPECT_NEAR(total_worth(BitWeights(hamming_statistics(std::span(codes)))), -64 * std::log2(agree), 1.5);
}

}  // namespace
}  // namespace neardup
