#include "features/idf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace neardup {
namespace {

// floor((ln((n + 1) / (df + 1)) + 1) * 65536 + 1/2), computed with 60 decimal digits by Python's module decimal.
TEST(Idf, GoldenValues) {
  struct Value {
    uint64_t documents;
    uint64_t frequency;
    int32_t idf;
  };
  constexpr Value kValues[] = {
      {0, 0, 65536},
      {1, 0, 110962},
      {1, 1, 65536},
      {2, 1, 92109},
      {9, 0, 216438},
      {9, 1, 171012},
      {9, 9, 65536},
      {10, 3, 131832},
      {99, 7, 231062},
      {651, 0, 490212},
      {1000, 1, 472882},
      {1000, 10, 361160},
      {1000, 999, 65602},
      {123456, 789, 396599},
      {1000000, 0, 970949},
      {1000000, 1, 925523},
      {1000000000, 12345, 806236},
      {4294967294, 0, 1519171},
      {4294967294, 1, 1473745},
      {4294967294, 4294967293, 65536},
  };
  for (const Value& value : kValues) {
    EXPECT_EQ(idf_fixed(value.documents, value.frequency), value.idf) << value.documents << " " << value.frequency;
  }
  EXPECT_EQ(idf_fixed(5, 6), 65536) << "more documents with the token than there are";
}

TEST(Idf, LogarithmsOfPowersAreWhole) {
  for (int e = 0; e < 64; ++e) EXPECT_EQ(log2_fixed(uint64_t{1} << e), static_cast<uint64_t>(e) << 40);
}

// The mathematics library as a judge, not as the source: with 64 bits it is right but near the middle between two values.
TEST(Idf, IsTheLogarithm) {
  std::mt19937_64 random(1);
  size_t near_middle = 0;
  for (int i = 0; i < 200'000; ++i) {
    const uint64_t documents = random() >> (32 + random() % 32);
    const uint64_t frequency = documents == 0 ? 0 : (random() >> (random() % 64)) % (documents + 1);
    const long double exact =
        (std::log(static_cast<long double>(documents + 1)) - std::log(static_cast<long double>(frequency + 1)) + 1) * 65536;
    const long double rounded = std::floor(exact + 0.5L);
    if (std::fabs(exact + 0.5L - std::round(exact + 0.5L)) < 1e-4L && exact > 65536.5L) {
      ++near_middle;
      ASSERT_LE(std::fabs(static_cast<long double>(idf_fixed(documents, frequency)) - exact), 0.6L);
      continue;
    }
    ASSERT_EQ(static_cast<long double>(idf_fixed(documents, frequency)), rounded) << documents << " " << frequency;
  }
  EXPECT_LT(near_middle, 200u);
}

TEST(Idf, NeverRisesWithTheFrequency) {
  for (const uint64_t documents : {1u, 2u, 77u, 5000u}) {
    for (uint64_t f = 0; f < documents; ++f) ASSERT_GE(idf_fixed(documents, f), idf_fixed(documents, f + 1));
  }
}

}  // namespace
}  // namespace neardup
