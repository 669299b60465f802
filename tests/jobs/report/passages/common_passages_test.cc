#include "jobs/report/passages/common_passages.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "neardup/error.h"
#include "neardup/stop.h"

namespace neardup {
namespace {

std::vector<uint64_t> units_of(std::string_view text) {
  PassageUnitCutter cutter;
  PassageUnits units;
  cutter.cut(text, units);
  return units.units;
}

// The slow twin: tries every place of every text.
uint64_t documents_with(const std::vector<std::string>& texts, const std::vector<uint64_t>& wanted) {
  return static_cast<uint64_t>(std::ranges::count_if(texts, [&](const std::string& text) {
    const std::vector<uint64_t> units = units_of(text);
    return !std::ranges::search(units, wanted).empty();
  }));
}

std::string random_words(std::mt19937_64& random, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += fmt::format("{}w{}", i == 0 ? "" : " ", random() % 100'000);
  return text;
}

TEST(PassageUnitCutter, CutsWordsAndIdeographs) {
  PassageUnitCutter cutter;
  PassageUnits units;
  const std::string text = "Hello,  WORLD: 你好x２0!";
  cutter.cut(text, units);
  std::vector<std::string> words;
  for (const auto& place : units.places) words.push_back(text.substr(place.begin, place.end - place.begin));
  EXPECT_EQ(words, (std::vector<std::string>{"Hello", "WORLD", "你", "好", "x２0"}));
  EXPECT_EQ(units.units, units_of("hello world 你好 x20"));
  EXPECT_NE(units.units, units_of("hello world 你好 x 20"));
}

TEST(PassageUnitCutter, IsTotal) {
  std::mt19937_64 random(3);
  PassageUnitCutter cutter;
  PassageUnits units;
  for (int round = 0; round < 500; ++round) {
    std::string text(random() % 60, ' ');
    for (char& c : text) c = static_cast<char>(random() % 4 == 0 ? ' ' : random());
    cutter.cut(text, units);
    ASSERT_EQ(units.units.size(), units.places.size());
    for (size_t i = 0; i < units.places.size(); ++i) {
      EXPECT_LE(units.places[i].begin, units.places[i].end);
      EXPECT_LE(units.places[i].end, text.size());
    }
    if (!units.units.empty()) without_units(text, units, std::span(units.units).first(1));
  }
}

TEST(PassageUnits, WithoutUnitsRemovesEveryPlace) {
  PassageUnitCutter cutter;
  PassageUnits units;
  const std::string text = "a b -- Read MORE! -- c read more, d";
  cutter.cut(text, units);
  EXPECT_EQ(without_units(text, units, units_of("read more")), "a b --  ! -- c  , d");
  EXPECT_EQ(without_units(text, units, units_of("nothing")), text);
}

TEST(CommonPassages, FindsBoilerplate) {
  std::mt19937_64 random(1);
  const std::string footer = "All rights reserved. No part of this page may be copied without the consent of the publisher";
  const std::string header = "本网站所有内容仅供参考，不构成任何投资建议";
  CommonPassages passages;
  std::vector<std::string> texts;
  for (int i = 0; i < 60; ++i) {
    std::string text = random_words(random, 40);
    if (i % 2 == 0) text = text + "\n" + footer + ".";
    if (i % 5 == 0) text = header + "。" + text;
    texts.push_back(text);
    passages.add(text);
  }
  const auto found = passages.find(10, 3);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].text, footer);
  EXPECT_EQ(found[0].documents, 30u);
  EXPECT_EQ(found[1].text, header);
  EXPECT_EQ(found[1].documents, 12u);
}

TEST(PassageUnits, FindUnitsAgreesWithASearchAtEveryPlace) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<uint64_t> units(random() % 60);
    for (uint64_t& unit : units) unit = random() % 2;
    std::vector<uint64_t> wanted(1 + random() % 6);
    for (uint64_t& unit : wanted) unit = random() % 2;
    std::vector<size_t> expected;
    for (size_t at = 0; at + wanted.size() <= units.size();) {
      const bool here = std::equal(wanted.begin(), wanted.end(), units.begin() + static_cast<std::ptrdiff_t>(at));
      if (here) expected.push_back(at);
      at += here ? wanted.size() : 1;
    }
    std::vector<size_t> found;
    find_units(units, wanted, [&](size_t at) { found.push_back(at); });
    EXPECT_EQ(found, expected);
  }
}

// In quadratic time it takes minutes.
TEST(PassageUnits, FindUnitsIsLinearInRepeatedUnits) {
  std::vector<uint64_t> wanted(50'000, 1);
  wanted.back() = 2;
  const std::vector<uint64_t> units(2'000'000, 1);
  size_t found = 0;
  find_units(units, wanted, [&](size_t) { ++found; });
  EXPECT_EQ(found, 0u);
}

TEST(CommonPassages, CountsPassagesThatBeginWithRepeatedWords) {
  // Forty passages that begin with hundreds of times the same word, each in half of the texts, and in the others all but its end.
  constexpr int kTexts = 100;
  std::vector<std::string> texts;
  for (int i = 0; i < kTexts; ++i) {
    std::string text;
    for (int passage = i % 2; passage < 40; passage += 2) {
      for (int k = 0; k < 380; ++k) text += "a ";
      text += fmt::format("end{} only{}here{} ", passage, i, passage);
    }
    texts.push_back(text);
  }
  CommonPassages passages;
  for (const std::string& text : texts) passages.add(text);
  const auto found = passages.find(12, 2);
  ASSERT_FALSE(found.empty());
  for (const CommonPassage& passage : found) EXPECT_EQ(passage.documents, kTexts / 2);
}

TEST(CommonPassages, Stops) {
  CommonPassages passages;
  for (int i = 0; i < 3; ++i) passages.add("one two three four five six seven eight nine");
  const StopFunction stop = [] { return true; };
  const StopScope scope(&stop);
  EXPECT_THROW(static_cast<void>(passages.find(5, 2)), Error);
}

TEST(CommonPassages, CountsAgreeWithTheSlowTwin) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 30; ++round) {
    std::vector<std::string> blocks;
    for (int i = 0; i < 5; ++i) blocks.push_back(random_words(random, 5 + random() % 20));
    std::vector<std::string> texts;
    for (int i = 0; i < 25; ++i) {
      std::string text;
      for (int k = 0; k < 4; ++k) text += " " + (random() % 2 == 0 ? blocks[random() % blocks.size()] : random_words(random, random() % 9));
      texts.push_back(text);
    }
    CommonPassages passages;
    for (const std::string& text : texts) passages.add(text);
    const uint64_t min_documents = 2 + random() % 4;
    const auto found = passages.find(6, min_documents);
    EXPECT_LE(found.size(), 6u);
    uint64_t last = std::numeric_limits<uint64_t>::max();
    for (const CommonPassage& passage : found) {
      EXPECT_EQ(passage.documents, documents_with(texts, passage.units));
      EXPECT_EQ(units_of(passage.text), passage.units);
      EXPECT_GE(passage.documents, min_documents);
      EXPECT_GE(passage.units.size(), CommonPassages::kGramUnits);
      EXPECT_LE(passage.documents * passage.units.size(), last);
      last = passage.documents * passage.units.size();
    }
  }
}

TEST(CommonPassages, FindsNothingInDifferentOrFewTexts) {
  std::mt19937_64 random(5);
  CommonPassages passages;
  EXPECT_TRUE(passages.find(5, 1).empty());
  passages.add(random_words(random, 100));
  EXPECT_TRUE(passages.find(5, 1).empty());  // a passage needs two documents
  for (int i = 0; i < 20; ++i) passages.add(random_words(random, 100));
  passages.add("");
  passages.add("short");
  passages.add("short");
  EXPECT_TRUE(passages.find(5, 2).empty());
}

TEST(CommonPassages, ReadsOnlyTheBeginningOfLongTexts) {
  std::mt19937_64 random(6);
  CommonPassages passages;
  const std::string late = random_words(random, 20);
  for (int i = 0; i < 5; ++i) passages.add(random_words(random, CommonPassages::kTextBytes / 4) + " " + late);
  EXPECT_TRUE(passages.find(5, 2).empty());
}

}  // namespace
}  // namespace neardup
