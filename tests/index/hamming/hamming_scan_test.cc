#include "index/hamming/hamming_scan.h"

#include <gtest/gtest.h>

#include "support/codes.h"

namespace neardup {
namespace {

template <typename Code>
class HammingScanTest : public ::testing::Test {};
using ScanCodes = ::testing::Types<Fingerprint64, Fingerprint128>;
TYPED_TEST_SUITE(HammingScanTest, ScanCodes);

TYPED_TEST(HammingScanTest, EqualsComparingOneByOne) {
  const auto codes = testing::make_codes<TypeParam>(1, 700, 8);
  for (const uint32_t radius : {0u, 1u, 3u, 8u, TypeParam::kBits / 2, TypeParam::kBits}) {
    HammingScan<TypeParam> scan;
    std::vector<uint32_t> found = {7};
    for (const TypeParam& code : codes) {
      std::vector<uint32_t> expected;
      for (uint32_t i = 0; i < scan.size(); ++i) {
        if (hamming_distance(codes[i], code) <= radius) expected.push_back(i);
      }
      scan.find(code, radius, found);
      ASSERT_EQ(found, expected) << "radius " << radius << ", " << scan.size() << " kept";
      ASSERT_EQ(scan.first(code, radius), expected.empty() ? std::nullopt : std::optional(expected.front()));
      const uint32_t before = scan.size();
      ASSERT_EQ(scan.add(code), before);
    }
  }
}

TYPED_TEST(HammingScanTest, ThePaddingMatchesNothing) {
  HammingScan<TypeParam> scan;
  EXPECT_EQ(scan.first(TypeParam{}, TypeParam::kBits), std::nullopt);
  TypeParam ones;
  for (uint32_t bit = 0; bit < TypeParam::kBits; ++bit) testing::flip(ones, bit);
  scan.add(ones);
  EXPECT_EQ(scan.first(TypeParam{}, TypeParam::kBits - 1), std::nullopt);
  EXPECT_EQ(scan.first(TypeParam{}, TypeParam::kBits), 0u);
}

}  // namespace
}  // namespace neardup
