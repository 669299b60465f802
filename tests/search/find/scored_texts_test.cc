#include "search/find/scored_texts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "support/memory_texts.h"

namespace neardup {
namespace {

TEST(ScoredTexts, ScoresOfEqualTextsAreAdded) {
  std::mt19937_64 random(61);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<uint64_t> entries;
    std::map<uint32_t, uint64_t> expected;
    for (uint64_t count = random() % 200; count > 0; --count) {
      const uint32_t text = random() % 4 == 0 ? UINT32_MAX - static_cast<uint32_t>(random() % 3) : static_cast<uint32_t>(random() % 40);
      const uint32_t score = random() % 20 == 0 ? UINT32_MAX : static_cast<uint32_t>(1 + random() % 50);
      entries.push_back(scored_entry(text, score));
      expected[text] = std::min<uint64_t>(UINT32_MAX, expected[text] + score);
      if (random() % 50 == 0) combine_scored(entries);  // at any time
    }
    std::vector<ScoredText> texts{{9, 9, 9}};
    append_scored(3, entries, texts);
    EXPECT_TRUE(entries.empty());
    ASSERT_EQ(texts.size(), expected.size() + 1);
    size_t i = 1;
    for (const auto& [text, score] : expected) {
      EXPECT_EQ(texts[i].part, 3u);
      EXPECT_EQ(texts[i].text, text);
      EXPECT_EQ(texts[i++].score, score);
    }
  }
}

// As if all were sorted by score and id.
TEST(ScoredTexts, TheBestAreKept) {
  std::mt19937_64 random(62);
  const ClueMaker maker({});
  const std::vector<std::string> some(60, "a text");
  const SearchView view = testing::make_view(some, 4, maker);
  const auto key = [&view](const ScoredText& text) { return std::tuple(-int64_t{text.score}, view.parts[text.part].texts->id(text.text)); };
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<ScoredText> texts;
    for (uint32_t part = 0; part < 4; ++part) {
      for (uint32_t text = 0; text < 15; ++text) {
        if (random() % 3 > 0) texts.push_back({part, text, static_cast<uint32_t>(1 + random() % 6)});
      }
    }
    std::vector<ScoredText> expected = texts;
    std::ranges::sort(expected, {}, key);
    const uint64_t count = trial == 0 ? UINT64_MAX : 1 + random() % 60;
    EXPECT_EQ(keep_best(view, count, texts), expected.size() > count);
    expected.resize(std::min<uint64_t>(expected.size(), count));
    std::ranges::sort(texts, {}, key);
    ASSERT_EQ(texts.size(), expected.size());
    for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(key(texts[i]), key(expected[i]));
  }
}

}  // namespace
}  // namespace neardup
