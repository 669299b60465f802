#include "search/find/near_grams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <span>
#include <string>

#include "search/clue_length.h"
#include "text/clue/clue_form.h"
#include "text/utf8/utf8.h"

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

// Every single edit of the clue, and all grams of the result that have it inside: those that come first are the guesses, and agree with
// them in the neighbourhood that a guess knows.
TEST(NearGrams, AreThoseOfTheObviousGenerator) {
  std::mt19937_64 random(52);
  static const std::u32string kPoints = U"abc 人民";
  size_t guessed = 0;
  for (int trial = 0; trial < 60; ++trial) {
    std::string clue;
    for (uint64_t length = 4 + random() % 24; length > 0; --length) append_utf8(kPoints[random() % kPoints.size()], clue);
    ClueSearch options;
    options.edits = Threshold(0.1);
    ClueForm::Scratch form_scratch;
    std::string form;
    maker().form.form(clue, form, form_scratch);
    if (form.empty()) continue;
    const Question question(maker(), clue, options);
    const std::vector<ClueAnchor> guesses = near_grams(question);
    const std::vector<char32_t>& points = question.points();
    const std::set<uint64_t> own = hashes_of(grams_of(form));
    std::set<char32_t> letters;
    for (const char32_t c : points) {
      if (columns_of(c) == 1) letters.insert({c, U' '});
    }
    std::set<uint64_t> expected;
    const auto add_edit = [&](size_t at, size_t skipped, const std::vector<char32_t>& put) {
      std::vector<char32_t> edited(points.begin(), points.begin() + static_cast<ptrdiff_t>(at));
      edited.insert(edited.end(), put.begin(), put.end());
      edited.insert(edited.end(), points.begin() + static_cast<ptrdiff_t>(at + skipped), points.end());
      if (column_count(edited) < maker().shape.gram) return;  // no gram, so no order of one
      std::string text;
      std::vector<uint32_t> begins;
      for (const char32_t c : edited) {
        begins.push_back(static_cast<uint32_t>(text.size()));
        append_utf8(c, text);
      }
      AnchorScratch scratch;
      std::vector<ClueAnchor> grams;
      clue_grams(text, maker().shape, scratch, grams);
      for (size_t i = 0; i < grams.size() && i <= at; ++i) {
        // A shift of the first character of a gram makes the gram of a neighbour; the clue must have a gram there.
        if ((i == at && (skipped == 0 || put.empty())) || column_count(std::span(points).subspan(i)) < maker().shape.gram) continue;
        const bool inside = column_count(std::span(points).subspan(i, at - i)) < maker().shape.gram;
        if (!inside || scratch.orders[i] >> (kOrderHashBits - 1) != 0 || own.contains(grams[i].hash)) continue;
        expected.insert(grams[i].hash);
        EXPECT_TRUE(std::ranges::any_of(guesses, [&](const ClueAnchor& guess) {
          return guess.hash == grams[i].hash && ((guess.context ^ grams[i].context) & guess.known & grams[i].known) == 0;
        })) << clue;
      }
    };
    for (size_t at = 0; at < points.size(); ++at) {
      add_edit(at, 1, {});
      if (columns_of(points[at]) > 1) continue;
      for (const char32_t letter : letters) {
        if (letter != points[at]) add_edit(at, 1, {letter});
        add_edit(at, 0, {letter});
      }
    }
    EXPECT_EQ(hashes_of(guesses), expected) << clue;
    guessed += guesses.size();
  }
  EXPECT_GT(guessed, 500u);
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
