#include "neardup/tools/hamming_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "support/skewed_codes.h"

namespace neardup {
namespace {

using namespace testing;

template <typename Code>
class HammingStatisticsTest : public ::testing::Test {};
using StatisticsCodes = ::testing::Types<Fingerprint64, Fingerprint128>;
TYPED_TEST_SUITE(HammingStatisticsTest, StatisticsCodes);

TYPED_TEST(HammingStatisticsTest, CountsBitsAndPairs) {
  for (const Skew skew : kSkews) {
    const auto codes = skewed_codes<TypeParam>(1, 333, skew);
    const std::set<TypeParam> different(codes.begin(), codes.end());
    const HammingStatistics statistics = hamming_statistics(std::span(codes));
    EXPECT_EQ(statistics.bits, TypeParam::kBits);
    EXPECT_EQ(statistics.entries, codes.size());
    EXPECT_EQ(statistics.distinct, different.size());
    ASSERT_EQ(statistics.sampled, different.size());
    for (uint32_t a = 0; a < TypeParam::kBits; ++a) {
      uint32_t ones = 0;
      for (const TypeParam& code : different) ones += has_bit(code, a) ? 1 : 0;
      EXPECT_EQ(statistics.ones[a], ones);
      for (uint32_t b = 0; b < TypeParam::kBits; ++b) {
        uint32_t differ = 0;
        for (const TypeParam& code : different) differ += has_bit(code, a) != has_bit(code, b) ? 1 : 0;
        ASSERT_EQ(statistics.differ[a * TypeParam::kBits + b], differ);
      }
    }
  }
}

TYPED_TEST(HammingStatisticsTest, SamplesEvenly) {
  constexpr size_t kCount = size_t{kHammingSample} * 3 / 2 + 1;
  std::vector<TypeParam> codes(kCount);
  for (size_t i = 0; i < kCount; ++i) codes[i].low = i;
  const HammingStatistics statistics = hamming_statistics(std::span<const TypeParam>(codes));
  EXPECT_EQ(statistics.sampled, kHammingSample);
  EXPECT_EQ(statistics.entries, kCount);
  EXPECT_EQ(statistics.distinct, kCount);
  std::vector<TypeParam> sample(kHammingSample);
  for (size_t i = 0; i < kHammingSample; ++i) sample[i].low = i * kCount / kHammingSample;
  const HammingStatistics expected = hamming_statistics(sample, kCount);
  EXPECT_EQ(statistics.ones, expected.ones);
  EXPECT_EQ(statistics.differ, expected.differ);

  std::fill(codes.begin(), codes.end(), TypeParam{});
  const HammingStatistics equal = hamming_statistics(std::span<const TypeParam>(codes));
  EXPECT_EQ(equal.sampled, 1u);
  EXPECT_EQ(equal.distinct, 1u);
  EXPECT_EQ(hamming_statistics(std::span<const TypeParam>()).sampled, 0u);
}

}  // namespace
}  // namespace neardup
