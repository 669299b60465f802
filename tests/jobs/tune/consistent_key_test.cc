#include "jobs/tune/consistent_key.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "base/hash.h"

namespace neardup {
namespace {

// A text of `words` random words of eight letters: unrelated texts have next to no 5-grams in common.
std::string consistent_text(uint64_t seed, size_t words) {
  std::string text;
  for (size_t i = 0; i < words; ++i) {
    uint64_t random = splitmix64(mix64(seed), i);
    for (int letter = 0; letter < 8; ++letter, random /= 26) text += static_cast<char>('a' + random % 26);
    text += ' ';
  }
  return text;
}

// By the definition, for ASCII without white space at its ends.
double gram_similarity(const std::string& a, const std::string& b) {
  std::set<std::string> grams_a;
  std::set<std::string> grams_b;
  for (size_t at = 0; at + ConsistentKey::kGramBytes <= a.size(); ++at) grams_a.insert(a.substr(at, ConsistentKey::kGramBytes));
  for (size_t at = 0; at + ConsistentKey::kGramBytes <= b.size(); ++at) grams_b.insert(b.substr(at, ConsistentKey::kGramBytes));
  size_t common = 0;
  for (const std::string& gram : grams_a) common += grams_b.contains(gram);
  return static_cast<double>(common) / static_cast<double>(grams_a.size() + grams_b.size() - common);
}

TEST(ConsistentKeyTest, ExactCopiesHaveTheKeyInCommonAndIgnoreWhatChars5Ignores) {
  const ConsistentKey keys;
  ConsistentKey::Scratch scratch;
  const auto a = keys.of("Some  Text of\nmine", scratch);
  const auto b = keys.of(" some text of mine ", scratch);
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.exact, b.exact);
  EXPECT_NE(a.exact, keys.of("some text of yours", scratch).exact);
}

TEST(ConsistentKeyTest, IsDefinedForAnyBytes) {
  const ConsistentKey keys;
  ConsistentKey::Scratch scratch;
  EXPECT_TRUE(keys.of("", scratch).empty);
  EXPECT_TRUE(keys.of(" \n\t", scratch).empty);
  EXPECT_FALSE(keys.of("a", scratch).empty);
  EXPECT_NE(keys.of("a", scratch).key, keys.of("b", scratch).key);
  EXPECT_EQ(keys.similarity("", " ", scratch), 1);
  EXPECT_EQ(keys.similarity("", "a", scratch), 0);
  EXPECT_EQ(keys.similarity("一二三四五", "一二三四六", scratch), 1.0 / 3);
  EXPECT_FALSE(keys.of(std::string("\xff\xfe\x00\xc3\x28", 5), scratch).empty);
}

// Broder's law: the share of pairs with one key is their Jaccard similarity. 2000 pairs: four standard deviations are below 0.045.
TEST(ConsistentKeyTest, PairsHaveOneKeyWithTheProbabilityOfTheirSimilarity) {
  const ConsistentKey keys;
  ConsistentKey::Scratch scratch;
  constexpr int kPairs = 2000;
  for (const size_t changed : {2u, 8u, 20u}) {
    double similarity = 0;
    int equal = 0;
    for (uint64_t i = 0; i < kPairs; ++i) {
      const std::string a = consistent_text(3 * i, 40);
      const std::string b = a.substr(0, a.size() / 2) + consistent_text(3 * i + 1, changed);
      const double expected = gram_similarity(a.substr(0, a.size() - 1), b.substr(0, b.size() - 1));
      ASSERT_DOUBLE_EQ(keys.similarity(a, b, scratch), expected);
      similarity += expected;
      equal += keys.of(a, scratch).key == keys.of(b, scratch).key;
    }
    EXPECT_NEAR(static_cast<double>(equal) / kPairs, similarity / kPairs, 0.045) << changed;
  }
}

// Each document is sampled with the same probability, whatever its length: the chance of 3000 texts to lie below a bound.
TEST(ConsistentKeyTest, SamplesTextsOfAllLengthsWithOneProbability) {
  const ConsistentKey keys;
  ConsistentKey::Scratch scratch;
  constexpr int kTexts = 3000;
  for (const double share : {0.1, 0.5}) {
    const uint64_t bound = ConsistentKey::bound_of_share(share);
    for (const size_t words : {3u, 30u, 300u}) {
      int below = 0;
      for (uint64_t i = 0; i < kTexts; ++i) below += keys.of(consistent_text(i + 1'000'000 * words, words), scratch).key < bound;
      EXPECT_NEAR(static_cast<double>(below) / kTexts, share, 4 * std::sqrt(share * (1 - share) / kTexts)) << words;
    }
  }
}

TEST(ConsistentKeyTest, BoundsFollowTheShare) {
  EXPECT_EQ(ConsistentKey::bound_of_share(0), 0u);
  EXPECT_EQ(ConsistentKey::bound_of_share(-1), 0u);
  EXPECT_EQ(ConsistentKey::bound_of_share(0.5), uint64_t{1} << 63);
  EXPECT_EQ(ConsistentKey::bound_of_share(1), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(ConsistentKey::bound_of_share(2), std::numeric_limits<uint64_t>::max());
}

}  // namespace
}  // namespace neardup
