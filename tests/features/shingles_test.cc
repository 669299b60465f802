#include "features/shingles.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace neardup {
namespace {

TokenBuffer tokens_of(const std::vector<std::string>& tokens, const std::string& separator) {
  TokenBuffer made;
  for (const std::string& token : tokens) {
    if (!made.starts.empty()) made.joined += separator;
    made.starts.push_back(static_cast<uint32_t>(made.joined.size()));
    made.joined += token;
    made.ends.push_back(static_cast<uint32_t>(made.joined.size()));
  }
  return made;
}

TEST(Shingles, AreTheHashesOfJoinedTokenRuns) {
  std::vector<uint64_t> hashes;
  hash_shingles(tokens_of({"a", "rose", "is", "a", "rose"}, " "), 2, ShortText::kNone, hashes);
  EXPECT_EQ(hashes, (std::vector<uint64_t>{hash64("a rose"), hash64("rose is"), hash64("is a"), hash64("a rose")}));
}

TEST(Shingles, ShortTexts) {
  std::vector<uint64_t> hashes{1, 2, 3};
  const auto four = tokens_of({"a", "b", "c", "d"}, "");
  hash_shingles(four, 5, ShortText::kNone, hashes);
  EXPECT_TRUE(hashes.empty());
  hash_shingles(four, 5, ShortText::kWhole, hashes);
  EXPECT_EQ(hashes, std::vector<uint64_t>{hash64("abcd")});
  hash_shingles(four, 4, ShortText::kNone, hashes);
  EXPECT_EQ(hashes, std::vector<uint64_t>{hash64("abcd")});
  hash_shingles({}, 5, ShortText::kWhole, hashes);
  EXPECT_TRUE(hashes.empty());
}

}  // namespace
}  // namespace neardup
