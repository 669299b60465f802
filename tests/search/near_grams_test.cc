#include "search/near_grams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

namespace neardup {
namespace {

const ClueMaker& maker() {
  static const ClueMaker made({});
  return made;
}

std::set<uint64_t> hashes_of(const std::vector<ClueAnchor>& grams) {
  std::set<uint64_t> hashes;
  for (const ClueAnchor& gram : grams) hashes.insert(gram.hash);
  return hashes;
}

std::vector<ClueAnchor> grams_of(const std::string& form) {
  AnchorScratch scratch;
  std::vector<ClueAnchor> grams;
  clue_grams(form, maker().shape, scratch, grams);
  return grams;
}

std::vector<ClueAnchor> guesses_of(const std::string& clue) {
  ClueSearch options;
  options.edits = Threshold(0.1);
  return near_grams(Question(maker(), clue, options));
}

// Grams that come first in the order of anchors.
std::set<uint64_t> first_hashes(const std::string& form) {
  AnchorScratch scratch;
  std::vector<ClueAnchor> grams;
  clue_grams(form, maker().shape, scratch, grams);
  std::set<uint64_t> hashes;
  for (size_t i = 0; i < grams.size(); ++i) {
    if (scratch.orders[i] >> (kOrderHashBits - 1) == 0) hashes.insert(grams[i].hash);
  }
  return hashes;
}

// Every gram of the text around the edit that comes first is guessed, if the clue has its letters elsewhere.
TEST(NearGrams, UndoOneEdit) {
  std::mt19937_64 random(51);
  size_t guessed = 0;
  for (int trial = 0; trial < 600; ++trial) {
    std::string text;
    for (int i = 0; i < 40; ++i) text.push_back(static_cast<char>('a' + random() % 4));
    std::string clue = text;
    const size_t at = 10 + random() % 20;
    const int way = trial % 3;
    if (way == 0) clue[at] = 'x';
    if (way == 1) clue.erase(at, 1);
    if (way == 2) clue.insert(at, 1, 'x');
    const std::set<uint64_t> own = hashes_of(grams_of(clue));
    const std::vector<ClueAnchor> guesses = guesses_of(clue);
    const std::set<uint64_t> hashes = hashes_of(guesses);
    const std::set<uint64_t> first = first_hashes(text);
    const size_t length = maker().shape.gram;
    for (const ClueAnchor& gram : grams_of(text)) {
      if (!first.contains(gram.hash) || own.contains(gram.hash)) continue;
      // Where a character is missing before a gram of the clue, the gram is that of the clue with another neighbour.
      const bool whole = gram.begin <= at && at < gram.begin + length;
      if (!whole || (way == 2 && gram.begin == at) || (way == 1 && (gram.begin == at || gram.begin + length - 1 == at))) continue;
      EXPECT_TRUE(hashes.contains(gram.hash)) << text << " " << clue << " " << gram.begin;
      ++guessed;
    }
  }
  EXPECT_GT(guessed, 100u);
}

TEST(NearGrams, AreFewAndNotOfTheClue) {
  const std::string clue = "it was the best of times it was the worst of times";
  const std::vector<ClueAnchor> guesses = guesses_of(clue);
  const std::set<uint64_t> own = hashes_of(grams_of(clue));
  EXPECT_GT(guesses.size(), 100u);
  EXPECT_LT(guesses.size(), 1500u);
  for (const ClueAnchor& guess : guesses) {
    EXPECT_FALSE(own.contains(guess.hash));
    EXPECT_LT(guess.begin, clue.size());
  }
}

// Of ideographs only those that may be too many in the clue.
TEST(NearGrams, LeaveIdeographsOut) {
  EXPECT_LT(guesses_of("人民代表大会是最高国家权力机关它的常设机关").size(), 40u);
  EXPECT_TRUE(guesses_of("人民代").empty());
  EXPECT_TRUE(guesses_of("abcde").empty());
}

}  // namespace
}  // namespace neardup
