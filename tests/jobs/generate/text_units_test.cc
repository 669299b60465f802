#include "jobs/generate/text_units.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "text/utf8/utf8.h"

namespace neardup::generate_detail {
namespace {

std::vector<std::string> unit_list(const TextUnits& text) {
  std::vector<std::string> units;
  for (size_t i = 0; i < text.size(); ++i) units.emplace_back(text.unit(i));
  return units;
}

std::vector<std::string> sentence_list(const TextUnits& text) {
  std::vector<std::string> sentences;
  for (const TextUnits::Sentence& each : text.sentences()) sentences.emplace_back(text.range(each.first, each.last));
  return sentences;
}

using Words = std::vector<std::string>;

TEST(TextUnits, AreWordsAndSingleCharacters) {
  EXPECT_EQ(unit_list(TextUnits("It's 3.14, naïve!")), (Words{"It", "s", "3", "14", "naïve"}));
  EXPECT_EQ(unit_list(TextUnits("第3章 API说明。")), (Words{"第", "3", "章", "API", "说", "明"}));
  EXPECT_EQ(unit_list(TextUnits(" ,. \n")), Words{});
  EXPECT_TRUE(TextUnits("第3章说明").unspaced());
  EXPECT_FALSE(TextUnits("the 章 of").unspaced());
}

TEST(TextUnits, SentencesEndAtStopsAndLines) {
  EXPECT_EQ(sentence_list(TextUnits("It costs 3.14 now. Buy it!  Why? Well\nnext line")),
            (Words{"It costs 3.14 now", "Buy it", "Why", "Well", "next line"}));
  EXPECT_EQ(sentence_list(TextUnits("今天。明天！后天")), (Words{"今天", "明天", "后天"}));
  EXPECT_TRUE(TextUnits("...").sentences().empty());
}

RC_GTEST_PROP(TextUnits, UnitsAndGapsAreTheText, (const std::string& bytes)) {
  std::string text;
  repair_utf8(bytes, text);
  const TextUnits units(text);
  std::string joined;
  for (size_t i = 0; i < units.size(); ++i) {
    RC_ASSERT(!units.unit(i).empty());
    joined += units.gap(i);
    joined += units.unit(i);
  }
  joined += units.gap(units.size());
  RC_ASSERT(joined == text);
  size_t next = 0;
  for (const TextUnits::Sentence& sentence : units.sentences()) {
    RC_ASSERT(sentence.first == next);
    RC_ASSERT(sentence.last > next);
    next = sentence.last;
  }
  RC_ASSERT(next == units.size());
  RC_ASSERT(has_units(text, units.size()));
  RC_ASSERT(!has_units(text, units.size() + 1));
}

}  // namespace
}  // namespace neardup::generate_detail
