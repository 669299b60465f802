// numbers_v1: which numbers a text has. The key of a text is that of its numbers as docs/recipe.md lists them.
#include "features/number_key.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/hash.h"

namespace neardup {
namespace {

uint64_t key(std::string_view text) {
  NumberScratch scratch;
  return number_key(text, scratch);
}

uint64_t key_of(std::string_view numbers) {
  return mix64(hash64(numbers));
}

TEST(NumberKey, numbers_are_sorted_and_each_is_followed_by_a_blank) {
  EXPECT_EQ(key(""), key_of(""));
  EXPECT_EQ(key("no number, 二十"), key_of(""));
  EXPECT_EQ(key("a5b 12-3"), key_of("12 3 5 "));
  EXPECT_EQ(key("7 7"), key_of("7 7 "));
}

TEST(NumberKey, decimal_points) {
  EXPECT_EQ(key("1.5l"), key_of("1.5 "));
  EXPECT_EQ(key("1.2.3.4"), key_of("1.2 3.4 "));
  EXPECT_EQ(key("1. .5 1..2"), key_of("1 1 2 5 "));
  EXPECT_EQ(key("1,5"), key_of("1 5 "));
}

TEST(NumberKey, zeros_that_change_nothing) {
  EXPECT_EQ(key("007"), key_of("7 "));
  EXPECT_EQ(key("1.50"), key_of("1.5 "));
  EXPECT_EQ(key("2.0"), key_of("2 "));
  EXPECT_EQ(key("00.00"), key_of("0 "));
  EXPECT_EQ(key("0.50"), key_of("0.5 "));
  EXPECT_EQ(key("100"), key_of("100 "));
  EXPECT_EQ(key("10.010"), key_of("10.01 "));
  EXPECT_EQ(key("0"), key_of("0 "));
}

// Else the shingle "12 " of one text and "18 " of another would be equal once they are combined with the keys.
TEST(NumberKey, differs_from_the_feature_of_a_shingle) {
  EXPECT_NE(key("12") ^ hash64("12 "), key("18") ^ hash64("18 "));
}

RC_GTEST_PROP(NumberKeyLaw, order_changes_nothing, ()) {
  auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>("1", "02", "3.10", "x", "0.0", "10"));
  const auto joined = [&] {
    std::string text;
    for (const std::string& piece : pieces) text += piece + " ";
    return text;
  };
  const uint64_t before = key(joined());
  std::ranges::reverse(pieces);
  RC_ASSERT(key(joined()) == before);
}

}  // namespace
}  // namespace neardup
