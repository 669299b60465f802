#include "search/quotes/quotes_suffixes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace neardup {
namespace {

TEST(SuffixArray, EqualsSortedSuffixes) {
  std::mt19937 random(10);
  for (int turn = 0; turn < 2000; ++turn) {
    const uint32_t alphabet = 1 + static_cast<uint32_t>(random()) % (turn % 3 == 0 ? 100 : 3);
    std::vector<uint32_t> symbols(random() % 60);
    for (uint32_t& symbol : symbols) symbol = static_cast<uint32_t>(random()) % alphabet;
    std::vector<uint32_t> expected(symbols.size());
    for (uint32_t i = 0; i < expected.size(); ++i) expected[i] = i;
    std::ranges::sort(expected, [&](uint32_t a, uint32_t b) {
      return std::lexicographical_compare(symbols.begin() + a, symbols.end(), symbols.begin() + b, symbols.end());
    });
    const std::vector<uint32_t> suffixes = suffix_array(symbols, alphabet);
    ASSERT_EQ(suffixes, expected) << turn;
    std::vector<uint32_t> ranks;
    const std::vector<uint32_t> common = common_prefixes(symbols, suffixes, ranks);
    for (size_t i = 0; i < suffixes.size(); ++i) {
      ASSERT_EQ(ranks[suffixes[i]], i);
      uint32_t length = 0;
      while (i > 0 && suffixes[i] + length < symbols.size() && suffixes[i - 1] + length < symbols.size() &&
             symbols[suffixes[i] + length] == symbols[suffixes[i - 1] + length])
        ++length;
      ASSERT_EQ(common[i], length);
    }
  }
}

}  // namespace
}  // namespace neardup
