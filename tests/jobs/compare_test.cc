#include "neardup/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "jobs/passages.h"

namespace neardup {
namespace {

// The slow twin: the longest run that begins at each place of `a`, by trying every place of `b`.
size_t longest_run(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  size_t longest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < b.size(); ++j) {
      size_t length = 0;
      while (i + length < a.size() && j + length < b.size() && a[i + length] == b[j + length]) ++length;
      longest = std::max(longest, length);
    }
  }
  return longest;
}

bool contains(const std::vector<uint64_t>& b, const std::vector<uint64_t>& a, const Passage& passage) {
  const auto begin = a.begin() + static_cast<ptrdiff_t>(passage.begin);
  return std::search(b.begin(), b.end(), begin, begin + static_cast<ptrdiff_t>(passage.shingles)) != b.end();
}

TEST(Passages, AgreeWithTheSlowTwin) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    const uint64_t alphabet = 1 + random() % 4;  // small: many repetitions, many clones
    std::vector<uint64_t> a(random() % 40);
    std::vector<uint64_t> b(random() % 40);
    for (uint64_t& symbol : a) symbol = random() % alphabet;
    for (uint64_t& symbol : b) symbol = random() % alphabet;
    const auto passages = longest_common_passages(a, b, 3);
    EXPECT_LE(passages.size(), 3u);
    EXPECT_EQ(passages.empty() ? 0 : passages.front().shingles, longest_run(a, b));
    for (size_t i = 0; i < passages.size(); ++i) {
      EXPECT_TRUE(contains(b, a, passages[i]));
      for (size_t j = 0; j < i; ++j) {
        EXPECT_GE(passages[j].shingles, passages[i].shingles);
        EXPECT_TRUE(passages[i].begin + passages[i].shingles <= passages[j].begin ||
                    passages[j].begin + passages[j].shingles <= passages[i].begin);
      }
    }
  }
}

TEST(Compare, MeasuresOfAKnownPair) {
  // Five-word shingles: a has 6, b has 5; the 3 of "b c d e f g h" are common, so 8 in all.
  const Sketcher sketcher(Recipe::load("words-5"));
  const Comparison c = compare_texts(sketcher, "a b c d e f g h x y", "B, C. d e f g h! z w");
  EXPECT_EQ(c.a.tokens, 10u);
  EXPECT_EQ(c.a.features, 6u);
  EXPECT_EQ(c.b.features, 5u);
  EXPECT_EQ(c.overlap.common, 3u);
  EXPECT_DOUBLE_EQ(c.jaccard(), 3.0 / 8);
  EXPECT_DOUBLE_EQ(c.containment_of_a(), 3.0 / 6);
  EXPECT_DOUBLE_EQ(c.containment_of_b(), 3.0 / 5);
  EXPECT_NEAR(c.cosine(), 3 / std::sqrt(30.0), 1e-12);
  EXPECT_FALSE(c.exact_copy);
  EXPECT_TRUE(c.matches(Threshold::parse("0.375")));
  EXPECT_FALSE(c.matches(Threshold::parse("0.375001")));
  EXPECT_LE(c.estimate_low, c.estimate);
  EXPECT_LE(c.estimate, c.estimate_high);
  ASSERT_EQ(c.passages.size(), 1u);
  EXPECT_EQ(c.passages[0].text, "b c d e f g h");
  EXPECT_EQ(c.passages[0].tokens, 7u);
}

TEST(Compare, NumbersThatMustAgree) {
  const Sketcher sketcher(Recipe::load("record-chars-2"));
  const Comparison other = compare_texts(sketcher, "acme drill 12 v", "acme drill 18 v");
  EXPECT_TRUE(other.numbers_differ);
  EXPECT_EQ(other.overlap.common, 0u);
  EXPECT_EQ(other.a.features, 14u);
  EXPECT_TRUE(other.passages.empty());
  const Comparison same = compare_texts(sketcher, "acme drill 12 v", "drill acme 12.0 v");
  EXPECT_FALSE(same.numbers_differ);
  EXPECT_EQ(same.overlap.common, 12u);  // all but " d" and "2 "
  EXPECT_FALSE(compare_texts(Sketcher(Recipe::load("chars-5")), "acme drill 12 v", "acme drill 18 v").numbers_differ);
}

TEST(Compare, ShortTextsMatchAsExactCopiesOnly) {
  const Sketcher sketcher(Recipe::load("words-5"));
  const Comparison other = compare_texts(sketcher, "too short", "as short");
  EXPECT_FALSE(other.measurable());
  EXPECT_FALSE(other.matches(Threshold::parse("0.000001")));
  const Comparison same = compare_texts(sketcher, " Too  short", "too short ");
  EXPECT_TRUE(same.exact_copy);
  EXPECT_TRUE(same.matches(Threshold::parse("1")));
  EXPECT_TRUE(compare_texts(sketcher, "", " \n").exact_copy);
}

TEST(Compare, ChinesePassagesReadAsChinese) {
  const Sketcher sketcher(Recipe::load("words-5"));
  const Comparison c = compare_texts(sketcher, "今天天气很好，我们去公园", "明天天气很好我们去学校");
  ASSERT_FALSE(c.passages.empty());
  EXPECT_EQ(c.passages[0].text, "天天气很好我们去");
}

}  // namespace
}  // namespace neardup
