#include "text/align/common_sequence.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

#include "text/align/anchor_runs.h"

namespace neardup {
namespace {

using Elements = std::vector<uint32_t>;

// The length of a longest common subsequence, by its definition.
size_t oracle_common(const Elements& a, const Elements& b) {
  std::vector<size_t> row(b.size() + 1);
  for (const uint32_t element : a) {
    size_t diagonal = 0;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t above = row[j + 1];
      row[j + 1] = element == b[j] ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  return row[b.size()];
}

size_t common_of(const Elements& a, const Elements& b, bool* coarse = nullptr) {
  const CommonSequence found = common_sequence(a, b);
  size_t common = 0;
  size_t a_end = 0;
  size_t b_end = 0;
  for (const CommonRun& run : found.runs) {
    EXPECT_GT(run.length, 0u);
    EXPECT_TRUE(run.a >= a_end && run.b >= b_end);
    EXPECT_TRUE(run.a > a_end || run.b > b_end || common == 0) << "two runs that are one";
    a_end = run.a + run.length;
    b_end = run.b + run.length;
    if (a_end > a.size() || b_end > b.size()) throw std::out_of_range("a run ends outside");
    EXPECT_TRUE(std::equal(a.begin() + run.a, a.begin() + static_cast<std::ptrdiff_t>(a_end), b.begin() + run.b));
    common += run.length;
  }
  if (coarse != nullptr) *coarse = found.coarse;
  return common;
}

Elements random_elements(std::mt19937_64& random, size_t count, uint64_t alphabet) {
  Elements elements(count);
  for (uint32_t& element : elements) element = static_cast<uint32_t>(random() % alphabet);
  return elements;
}

// `a` with so many edits of one element.
Elements edited(const Elements& a, size_t edits, uint64_t alphabet, std::mt19937_64& random) {
  Elements b = a;
  for (size_t i = 0; i < edits; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(random() % b.size());
    if (i % 2 == 0) {
      b.erase(b.begin() + at);
    } else {
      b.insert(b.begin() + at, static_cast<uint32_t>(random() % alphabet));
    }
  }
  return b;
}

TEST(CommonSequence, Examples) {
  EXPECT_TRUE(common_sequence({}, {}).runs.empty());
  EXPECT_EQ(common_of({1, 2, 3}, {1, 2, 3}), 3u);
  EXPECT_EQ(common_of({1, 2, 3}, {}), 0u);
  EXPECT_EQ(common_of({1, 2, 3}, {4, 5, 6}), 0u);
  EXPECT_EQ(common_of({1, 2, 3, 4}, {1, 3, 2, 4}), 3u);
  const Elements a{1, 2, 9, 3, 4};
  const Elements b{1, 2, 3, 4};
  EXPECT_EQ(common_sequence(a, b).runs, (std::vector<CommonRun>{{0, 0, 2}, {3, 2, 2}}));
}

RC_GTEST_PROP(CommonSequence, IsALongestOneOfShortSequences, ()) {
  const auto element = rc::gen::inRange<uint32_t>(0, 4);
  const auto a = *rc::gen::container<Elements>(element);
  const auto b = *rc::gen::container<Elements>(element);
  RC_ASSERT(common_of(a, b) == oracle_common(a, b));
}

TEST(CommonSequence, IsALongestOneUpToAFewThousandElements) {
  std::mt19937_64 random(1);
  for (const uint64_t alphabet : {2, 5, 100, 100'000}) {
    for (const size_t size : {50, 700, 2000}) {
      const Elements a = random_elements(random, size, alphabet);
      const Elements other = random_elements(random, size, alphabet);
      const Elements near = edited(a, size / 10, alphabet, random);
      bool coarse = true;
      EXPECT_EQ(common_of(a, other, &coarse), oracle_common(a, other)) << alphabet << ' ' << size;
      EXPECT_FALSE(coarse);
      EXPECT_EQ(common_of(a, near), oracle_common(a, near)) << alphabet << ' ' << size;
    }
  }
}

TEST(CommonSequence, OfLongSequencesIsCloseToTheEditsMade) {
  std::mt19937_64 random(2);
  for (const uint64_t alphabet : {30, 3000, 1'000'000}) {
    const Elements a = random_elements(random, 60'000, alphabet);
    for (const size_t edits : {10, 600, 6000}) {
      const Elements b = edited(a, edits, alphabet, random);
      bool coarse = true;
      const size_t common = common_of(a, b, &coarse);
      EXPECT_LE(a.size() + b.size() - 2 * common, edits + edits / 10) << alphabet << ' ' << edits;
      EXPECT_FALSE(coarse) << alphabet << ' ' << edits;
    }
  }
}

// Of more than a million elements only a sample of the windows is looked at.
TEST(CommonSequence, OfHugeSequencesIsCloseToTheEditsMade) {
  std::mt19937_64 random(8);
  const Elements a = random_elements(random, 1'200'000, 20'000);
  constexpr size_t kEdits = 500;
  const Elements b = edited(a, kEdits, 20'000, random);
  bool coarse = true;
  const size_t common = common_of(a, b, &coarse);
  EXPECT_LE(a.size() + b.size() - 2 * common, kEdits + kEdits / 10);
  EXPECT_FALSE(coarse);
}

TEST(CommonSequence, OfRepetitiveSequencesFindsWhatWasInserted) {
  Elements a;
  for (int i = 0; i < 20'000; ++i) a.insert(a.end(), {1, 2, 3, 4, 5});
  Elements b(a.begin(), a.begin() + 50'000);
  for (uint32_t i = 0; i < 3000; ++i) b.push_back(6 + i % 3);
  b.insert(b.end(), a.begin() + 50'000, a.end());
  b.insert(b.end(), 20'000, 7);
  EXPECT_EQ(common_of(a, b), a.size());
}

TEST(CommonSequence, OfUnrelatedSequencesEndsAndSaysSo) {
  std::mt19937_64 random(3);
  bool coarse = false;
  const Elements a = random_elements(random, 240'000, 40);
  const Elements b = random_elements(random, 240'000, 40);
  common_of(a, b, &coarse);
  EXPECT_TRUE(coarse);
}

TEST(CommonSequence, KeepsALongRunThatMovedAcrossUnrelatedOnes) {
  std::mt19937_64 random(4);
  const Elements block = random_elements(random, 30'000, 1000);
  Elements a = random_elements(random, 30'000, 1000);
  Elements b = random_elements(random, 40'000, 1000);
  a.insert(a.begin() + 10'000, block.begin(), block.end());
  b.insert(b.end() - 100, block.begin(), block.end());
  EXPECT_GE(common_of(a, b), block.size());
}

TEST(AnchorRuns, AreEqualAndAscend) {
  std::mt19937_64 random(5);
  const Elements a = random_elements(random, 5000, 50);
  const Elements b = edited(a, 500, 50, random);
  const SequenceGap gap{100, 4900, 50, 4800};
  for (const AnchorWindow window : {AnchorWindow{24, 7}, AnchorWindow{8, 1}, AnchorWindow{3, 0}, AnchorWindow{1, 0}}) {
    uint32_t a_end = gap.a_begin;
    uint32_t b_end = gap.b_begin;
    const std::vector<CommonRun> runs = anchor_runs(a, b, gap, window);
    for (const CommonRun& run : runs) {
      ASSERT_TRUE(run.a >= a_end && run.b >= b_end && run.length >= window.width);
      a_end = run.a + run.length;
      b_end = run.b + run.length;
      ASSERT_TRUE(a_end <= gap.a_end && b_end <= gap.b_end);
      ASSERT_TRUE(std::equal(a.begin() + run.a, a.begin() + a_end, b.begin() + run.b));
    }
    // No single element of fifty is rare among thousands.
    EXPECT_EQ(runs.empty(), window.width == 1) << window.width;
  }
}

}  // namespace
}  // namespace neardup
