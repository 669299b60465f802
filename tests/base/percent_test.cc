#include "base/percent.h"

#include <gtest/gtest.h>

#include <limits>
#include <string_view>

namespace neardup {
namespace {

TEST(Percent, ParsesAndPrints) {
  const std::pair<std::string_view, uint32_t> values[] = {{"0%", 0},         {"60%", 600'000},        {"2.5%", 25'000},
                                                          {"0.0001%", 1},    {"99.9999%", 999'999},   {"100%", 1'000'000},
                                                          {"00.50%", 5'000}, {"100.0000%", 1'000'000}};
  for (const auto& [text, millionths] : values) {
    ASSERT_EQ(parse_percent(text), millionths) << text;
    EXPECT_EQ(parse_percent(percent_text(millionths)), millionths) << text;
  }
  EXPECT_EQ(percent_text(25'000), "2.5%");
  EXPECT_EQ(percent_text(600'000), "60%");
}

TEST(Percent, RefusesEverythingElse) {
  for (const std::string_view text :
       {"", "%", "60", "0.6", ".5%", "5.%", "-1%", "+1%", "100.0001%", "101%", "1.00001%", "1e1%", "60 %", "99999999999999999999%"}) {
    EXPECT_EQ(parse_percent(text), std::nullopt) << text;
  }
}

TEST(Percent, SharesAreExact) {
  EXPECT_FALSE(is_above_share(60, 100, 600'000));
  EXPECT_TRUE(is_above_share(61, 100, 600'000));
  EXPECT_FALSE(is_above_share(0, 0, 0));
  EXPECT_TRUE(is_above_share(1, 1'000'000, 0));
  const uint64_t huge = std::numeric_limits<uint64_t>::max();
  EXPECT_FALSE(is_above_share(huge, huge, 1'000'000));
  EXPECT_TRUE(is_above_share(huge, huge, 999'999));
}

}  // namespace
}  // namespace neardup
