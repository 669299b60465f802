#include "jobs/tune/sample_pairs.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace neardup {
namespace {

// The words from `first` on.
std::string cohesion_text(size_t first, size_t words = 60) {
  std::string text;
  for (size_t i = first; i < first + words; ++i) text += "word" + std::to_string(i) + ' ';
  return text;
}

SamplePairs cohesion_pairs(const std::vector<std::string>& texts) {
  Options options;
  options.recipe = "words-5";
  return SamplePairs(options, {texts.begin(), texts.end()});
}

// Windows of 60 words, each ten words after the one before: 46 of 66 5-grams are common (0.70) to neighbours, 36 of 76 (0.47) to the next.
TEST(SamplePairsTest, ChainsDoNotHoldTogether) {
  std::vector<std::string> chain;
  for (size_t i = 0; i < 5; ++i) chain.push_back(cohesion_text(10 * i));
  const SamplePairs pairs = cohesion_pairs(chain);
  ASSERT_EQ(pairs.total(), 4u);
  EXPECT_DOUBLE_EQ(pairs.cohesion(SamplePairs::band_of(0.55)), 4.0 / 10);
  EXPECT_EQ(pairs.cohesion(SamplePairs::band_of(0.8)), 1);
}

TEST(SamplePairsTest, VersionsHoldTogetherAndEqualTextsCountOnce) {
  std::vector<std::string> versions;
  for (size_t i = 0; i < 4; ++i) versions.push_back(cohesion_text(0) + "ending" + std::to_string(i));
  EXPECT_EQ(cohesion_pairs(versions).cohesion(0), 1);
  // Three equal texts and a neighbour are two, and near.
  std::vector<std::string> chain{cohesion_text(0), cohesion_text(0) + ".", cohesion_text(0) + "!", cohesion_text(10), cohesion_text(20)};
  EXPECT_DOUBLE_EQ(cohesion_pairs(chain).cohesion(SamplePairs::band_of(0.55)), 2.0 / 3);
}

}  // namespace
}  // namespace neardup
