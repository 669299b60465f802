#include "features/shingles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/hash.h"

namespace neardup {
namespace {

TokenBuffer tokens_of(const std::vector<std::string>& tokens, const std::string& separator) {
  TokenBuffer made;
  made.separator_bytes = static_cast<uint32_t>(separator.size());
  std::string joined;
  for (const std::string& token : tokens) {
    made.starts.push_back(static_cast<uint32_t>(joined.size()));
    joined += token + separator;
  }
  made.starts.push_back(static_cast<uint32_t>(joined.size()));
  if (!tokens.empty()) joined.resize(joined.size() - separator.size());
  made.joined.assign(joined.begin(), joined.end());
  return made;
}

TEST(Shingles, AreTheHashesOfJoinedTokenRuns) {
  RawVector<uint64_t> hashes;
  TokenBuffer rose = tokens_of({"a", "rose", "is", "a", "rose"}, " ");
  hash_shingles(rose, 2, ShortText::kNone, hashes);
  EXPECT_EQ(hashes, (RawVector<uint64_t>{hash64("a rose"), hash64("rose is"), hash64("is a"), hash64("a rose")}));
}

TEST(Shingles, ShortTexts) {
  RawVector<uint64_t> hashes{1, 2, 3};
  TokenBuffer four = tokens_of({"a", "b", "c", "d"}, "");
  hash_shingles(four, 5, ShortText::kNone, hashes);
  EXPECT_TRUE(hashes.empty());
  hash_shingles(four, 5, ShortText::kWhole, hashes);
  EXPECT_EQ(hashes, RawVector<uint64_t>{hash64("abcd")});
  hash_shingles(four, 4, ShortText::kNone, hashes);
  EXPECT_EQ(hashes, RawVector<uint64_t>{hash64("abcd")});
  TokenBuffer none;
  hash_shingles(none, 5, ShortText::kWhole, hashes);
  EXPECT_TRUE(hashes.empty());
}

void expect_with_all_kernels(const TokenBuffer& buffer, uint32_t size, const std::vector<uint64_t>& expected) {
  size_t units = 0;
  const kernels::Kernels* const* const available = kernels::available(&units);
  for (size_t unit = 0; unit < units; ++unit) {
    TokenBuffer given = buffer;
    RawVector<uint64_t> hashes;
    hash_shingles(*available[unit], given, size, ShortText::kNone, hashes);
    ASSERT_TRUE(std::ranges::equal(hashes, expected)) << available[unit]->name << ", size " << size;
    ASSERT_TRUE(given.joined == buffer.joined && given.starts == buffer.starts);
  }
}

// Characters of one to four bytes, in stretches of one width as texts have them, for every set of kernels and every size.
TEST(Shingles, OfCharactersAreTheSameWithAllKernels) {
  std::mt19937_64 random(5);
  const std::vector<std::string> alphabet{"a", "\u00E9", "\u4E2D", "\U0001F600"};
  for (int round = 0; round < 400; ++round) {
    std::vector<std::string> tokens;
    while (tokens.size() < random() % 100) {
      const size_t width = round % 4 == 0 ? random() % 4 : random() % 2 * 2;
      std::string token = alphabet[width];
      token.back() = static_cast<char>(token.back() + static_cast<char>(random() % 8));
      for (size_t run = random() % 20; run > 0; --run) tokens.push_back(token);
    }
    const TokenBuffer buffer = tokens_of(tokens, "");
    for (const uint32_t size : {1u, 2u, 3u, 4u, 5u, 8u, 16u, 64u}) {
      std::vector<uint64_t> expected;
      for (size_t i = 0; i + size <= tokens.size(); ++i) expected.push_back(hash64(buffer.run(i, size)));
      expect_with_all_kernels(buffer, size, expected);
    }
  }
}

// Words of all lengths, in texts where a usual one has few letters and in those where it has many: shingles of 1 to some hundred bytes.
TEST(Shingles, OfWordsAreTheSameWithAllKernels) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 600; ++round) {
    const size_t usual = 1 + random() % (round % 3 == 0 ? 30 : 9);
    std::vector<std::string> tokens(random() % 120);
    for (std::string& token : tokens) {
      const size_t letters = random() % 30 == 0 ? random() % 150 : 1 + random() % (2 * usual);
      for (size_t i = 0; i < letters; ++i) token.push_back(static_cast<char>('a' + random() % 26));
    }
    const TokenBuffer buffer = tokens_of(tokens, round % 5 == 0 ? ", " : " ");
    for (const uint32_t size : {1u, 2u, 3u, 4u, 5u, 6u, 8u, 16u}) {
      std::vector<uint64_t> expected;
      for (size_t i = 0; i + size <= tokens.size(); ++i) expected.push_back(hash64(buffer.run(i, size)));
      expect_with_all_kernels(buffer, size, expected);
    }
  }
}

}  // namespace
}  // namespace neardup
