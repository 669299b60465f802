#include "search/clue_length.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "index/anchors/anchors.h"
#include "search/code_points.h"
#include "search/find/near_grams.h"
#include "search/question.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

std::vector<char32_t> mixed_points(std::mt19937_64& random, size_t length) {
  std::vector<char32_t> points;
  for (size_t i = 0; i < length; ++i) {
    points.push_back(random() % 2 == 0 ? U'a' + static_cast<char32_t>(random() % 26) : 0x4E00 + static_cast<char32_t>(random() % 900));
  }
  return points;
}

bool has_window(std::span<const char32_t> points, const AnchorShape& shape) {
  std::string form;
  for (const char32_t c : points) append_utf8(c, form);
  AnchorScratch scratch;
  std::vector<ClueAnchor> anchors;
  certain_anchors(form, shape, scratch, anchors);
  return !anchors.empty();
}

TEST(ClueLength, GuaranteedEditsOfPlainClues) {
  const AnchorShape shape;
  const auto edits = [&](size_t length, char32_t c) { return guaranteed_edit_count(std::vector<char32_t>(length, c), shape); };
  EXPECT_EQ(edits(22, U'a'), 0u);
  EXPECT_EQ(edits(23, U'a'), 0u);
  EXPECT_EQ(edits(45, U'a'), 0u);
  EXPECT_EQ(edits(46, U'a'), 1u);
  EXPECT_EQ(edits(69, U'a'), 2u);
  EXPECT_EQ(edits(21, U'\u4e00'), 0u);
  EXPECT_EQ(edits(22, U'\u4e00'), 1u);
  EXPECT_EQ(edits(60, U'\u4e00'), 4u);
}

// One edit more than guaranteed can be placed so that no window is left; the guaranteed number cannot, as far as random places show.
TEST(ClueLength, GuaranteedEditsLeaveAWindow) {
  std::mt19937_64 random(21);
  for (int trial = 0; trial < 300; ++trial) {
    const AnchorShape shape = AnchorShape::of_min_run(8 + static_cast<uint32_t>(random() % 20));
    const std::vector<char32_t> points = mixed_points(random, 10 + random() % 90);
    const uint32_t guaranteed = guaranteed_edit_count(points, shape);
    if (!has_window(points, shape)) {
      EXPECT_EQ(guaranteed, 0u);
      continue;
    }
    // Cuts at the end of each first window, as few as possible: one fewer leaves a window.
    size_t begin = 0;
    uint32_t cuts = 0;
    for (size_t end = 1; end <= points.size(); ++end) {
      if (!has_window(std::span(points).subspan(begin, end - begin), shape)) continue;
      begin = end;
      ++cuts;
    }
    EXPECT_EQ(guaranteed + 1, cuts);
    std::vector<size_t> edits;
    for (uint32_t i = 0; i < guaranteed; ++i) edits.push_back(random() % points.size());
    std::ranges::sort(edits);
    edits.push_back(points.size());
    bool any = false;
    size_t from = 0;
    for (const size_t edit : edits) {
      if (edit > from) any = any || has_window(std::span(points).subspan(from, edit - from), shape);
      from = edit + 1;
    }
    EXPECT_TRUE(any);
  }
}

// Edits at random places: characters replaced, dropped or doubled by another letter.
std::string with_byte_edits(std::string text, size_t edits, std::mt19937_64& random) {
  for (; edits > 0; --edits) {
    const size_t at = random() % text.size();
    const uint64_t way = random() % 3;
    const char letter = static_cast<char>('a' + random() % 26);
    if (way == 0) text[at] = letter;
    if (way == 1) text.erase(at, 1);
    if (way == 2) text.insert(at, 1, letter);
  }
  return text;
}

// The prediction, for random letters in long random texts.
TEST(ClueLength, PredictedRecallIsMeasured) {
  std::mt19937_64 random(22);
  const ClueMaker maker({});
  for (const auto& [length, edits] : {std::pair(8u, 0u), std::pair(12u, 0u), std::pair(16u, 0u), std::pair(30u, 3u), std::pair(40u, 4u),
                                      std::pair(60u, 6u), std::pair(40u, 8u)}) {
    int found = 0;
    constexpr int kTrials = 200;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::string text;
      for (int i = 0; i < 300; ++i) text.push_back(static_cast<char>('a' + random() % 26));
      const std::string clue = with_byte_edits(text.substr(100, length), edits, random);
      AnchorScratch scratch;
      std::vector<Anchor> anchors;
      text_anchors(text, maker.shape, scratch, anchors);
      ClueSearch options;
      if (edits > 0) options.edits = Threshold(0.2);
      const Question question(maker, clue, options);
      std::vector<ClueAnchor> grams;
      clue_grams(question.form(), maker.shape, scratch, grams);
      if (edits > 0) std::ranges::copy(near_grams(question), std::back_inserter(grams));
      found += std::ranges::any_of(grams, [&](const ClueAnchor& gram) {
        return std::ranges::any_of(anchors, [&](const Anchor& anchor) { return anchor.hash == gram.hash; });
      });
    }
    const double predicted = predicted_clue_recall(std::vector<char32_t>(length, U'a'), maker.shape, edits);
    // Many edits may touch each other, and then leave more than is predicted.
    EXPECT_GT(static_cast<double>(found) / kTrials, predicted - 0.06) << length << " characters, " << edits << " edits";
    if (edits <= length / 10) {
      EXPECT_LT(static_cast<double>(found) / kTrials, predicted + 0.1) << length << " characters, " << edits << " edits";
    }
  }
}

TEST(ClueLength, PredictedRecallOfOddClues) {
  const AnchorShape shape;
  const auto predicted = [&](size_t length, char32_t c, uint32_t edits) {
    return predicted_clue_recall(std::vector<char32_t>(length, c), shape, edits);
  };
  EXPECT_EQ(predicted(0, U'a', 0), 0);
  EXPECT_EQ(predicted(5, U'a', 0), 0);
  EXPECT_EQ(predicted(23, U'a', 0), 1);
  EXPECT_EQ(predicted(11, U'\u4e00', 0), 1);
  EXPECT_EQ(predicted(3, U'a', 3), 0);
  EXPECT_NEAR(predicted(4000, U'a', 400), 1, 1e-3);
  // More edits find less, longer clues more.
  for (uint32_t edits = 1; edits < 10; ++edits) EXPECT_LT(predicted(40, U'a', edits), predicted(40, U'a', edits - 1) + 1e-12);
  for (size_t length = 9; length < 60; ++length) EXPECT_GT(predicted(length, U'a', 2), predicted(length - 1, U'a', 2) - 1e-12);
}

// A clue without a whole window is not certain, and one without a gram is not found, wherever its wide characters are.
TEST(ClueLength, PredictedRecallOfMixedClues) {
  std::mt19937_64 random(23);
  const AnchorShape shape;
  for (int trial = 0; trial < 3000; ++trial) {
    const std::vector<char32_t> points = mixed_points(random, 1 + random() % 24);
    const double predicted = predicted_clue_recall(points, shape, 0);
    if (column_count(points) < shape.gram) {
      EXPECT_EQ(predicted, 0);
    } else if (!has_window(points, shape)) {
      EXPECT_GT(predicted, 0);
      EXPECT_LT(predicted, 1);
      EXPECT_LT(column_count(points), shape.min_run_latin());
    }
  }
}

TEST(ClueLength, BoundOfCommonAnchors) {
  EXPECT_EQ(common_anchor_bound(0, 0.1).anchors, 1u);
  EXPECT_EQ(common_anchor_bound(1, 0.1).anchors, 1u);
  EXPECT_NEAR(common_anchor_bound(1, 0.1).recall, 0.1, 1e-9);
  EXPECT_NEAR(common_anchor_bound(10, 0.5).recall, 1 - 1.0 / 1024, 1e-9);
  for (const uint64_t common : {50u, 200u, 1000u, 4000u}) {
    const AnchorBound bound = common_anchor_bound(common, 0.12);
    EXPECT_LT(bound.anchors, static_cast<double>(common) * 0.12);
    EXPECT_GE(bound.recall, 0.998);
  }
  EXPECT_GT(common_anchor_bound(1000, 0.12).anchors, 80u);
}

}  // namespace
}  // namespace neardup
