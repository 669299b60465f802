#include "neardup/tools/threshold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "neardup/error.h"

namespace neardup {
namespace {

TEST(Threshold, ParsesDecimals) {
  EXPECT_EQ(Threshold::parse("0.8").millionths(), 800'000u);
  EXPECT_EQ(Threshold::parse(".85").millionths(), 850'000u);
  EXPECT_EQ(Threshold::parse("1").millionths(), 1'000'000u);
  EXPECT_EQ(Threshold::parse("1.000").millionths(), 1'000'000u);
  EXPECT_EQ(Threshold::parse("0.000001").millionths(), 1u);
  EXPECT_EQ(Threshold::parse("0.1234560000").millionths(), 123'456u);
}

TEST(Threshold, ParsesExponents) {
  EXPECT_EQ(Threshold::parse("1e-1").millionths(), 100'000u);
  EXPECT_EQ(Threshold::parse("8E-1").millionths(), 800'000u);
  EXPECT_EQ(Threshold::parse("0.0725e+1").millionths(), 725'000u);
  EXPECT_EQ(Threshold::parse("1e0").millionths(), 1'000'000u);
  EXPECT_EQ(Threshold::parse("100e-2").millionths(), 1'000'000u);
  EXPECT_EQ(Threshold::parse("1e-6").millionths(), 1u);
  for (const char* text :
       {"1e", "1e-", "e-1", "1e-7", "1e1", "1e-1e-1", "1e 1", "1e+-1", "1e-99999999999", "1e99999999999999999999", "-1e-1"}) {
    EXPECT_THROW(Threshold::parse(text), Error) << "'" << text << "'";
  }
}

TEST(Threshold, TakesNumbers) {
  Threshold threshold = 0.8;
  EXPECT_EQ(threshold.millionths(), 800'000u);
  threshold = 1;
  EXPECT_EQ(threshold.millionths(), 1'000'000u);
  for (uint32_t millionths = 1; millionths <= Threshold::kOne; millionths += 37) {
    ASSERT_EQ(Threshold(Threshold::from_millionths(millionths).value()).millionths(), millionths);
  }
  for (const double value : {0.0, -0.5, 4e-7, 1.000001, 2.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(static_cast<void>(Threshold(value)), Error) << value;
  }
}

TEST(Threshold, RefusesTheRest) {
  for (const char* text : {"", ".", "0", "0.0", "1.1", "2", "1.0000001", "0.1234567", "-0.5", "0.5x", " 0.5", "nan", "-", "--1", "0,5",
                           "99999999999999999999"}) {
    EXPECT_THROW(Threshold::parse(text), Error) << "'" << text << "'";
  }
}

TEST(Threshold, IsInclusiveAndExact) {
  const Threshold t = Threshold::parse("0.8");
  EXPECT_TRUE(t.met_by({.common = 4, .size_a = 4, .size_b = 5}));  // 4/5
  EXPECT_FALSE(t.met_by({.common = 399'999, .size_a = 400'000, .size_b = 499'999}));
  EXPECT_TRUE(t.met_by({.common = 400'000, .size_a = 400'000, .size_b = 500'000}));
  EXPECT_TRUE(Threshold::parse("1").met_by({.common = 7, .size_a = 7, .size_b = 7}));
  EXPECT_FALSE(Threshold::parse("1").met_by({.common = 7, .size_a = 7, .size_b = 8}));
}

// The bounds are tight: one less would miss, and they never exclude a pair that matches.
TEST(Threshold, BoundsAgreeWithTheDefinition) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto t = Threshold::from_millionths(1 + static_cast<uint32_t>(random() % 1'000'000));
    const uint32_t a = 1 + static_cast<uint32_t>(random() % 60);
    const uint32_t b = 1 + static_cast<uint32_t>(random() % 60);
    uint32_t least = std::min(a, b) + 1;
    for (uint32_t common = 0; common <= std::min(a, b); ++common) {
      if (t.met_by({common, a, b})) {
        least = common;
        break;
      }
    }
    if (least <= std::min(a, b)) {
      EXPECT_EQ(t.required_overlap(a, b), least);
      EXPECT_GE(std::min(a, b), t.min_partner_size(std::max(a, b)));
    } else {
      EXPECT_GT(t.required_overlap(a, b), std::min(a, b));
    }
  }
}

}  // namespace
}  // namespace neardup
