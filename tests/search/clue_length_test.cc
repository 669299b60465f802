#include "search/clue_length.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "index/anchors/anchors.h"
#include "search/code_points.h"
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

// The prediction, for random letters in long random texts.
TEST(ClueLength, PredictedRecallIsMeasured) {
  std::mt19937_64 random(22);
  const AnchorShape shape;
  for (const auto& [length, edit_rate] :
       {std::pair(8, 0.0), std::pair(12, 0.0), std::pair(16, 0.0), std::pair(40, 0.1), std::pair(60, 0.1)}) {
    int found = 0;
    constexpr int kTrials = 1500;
    double predicted = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::string text;
      for (int i = 0; i < 300; ++i) text.push_back(static_cast<char>('a' + random() % 26));
      std::string clue = text.substr(100, static_cast<size_t>(length));
      for (char& letter : clue) {
        if (static_cast<double>(random() % 10000) < 10000 * edit_rate) letter = '0';
      }
      AnchorScratch scratch;
      std::vector<Anchor> anchors;
      text_anchors(text, shape, scratch, anchors);
      std::vector<ClueAnchor> grams;
      clue_grams(clue, shape, scratch, grams);
      found += std::ranges::any_of(grams, [&](const ClueAnchor& gram) {
        return std::ranges::any_of(anchors, [&](const Anchor& anchor) { return anchor.hash == gram.hash; });
      });
      std::vector<char32_t> points;
      to_code_points(clue, points);
      predicted = predicted_clue_recall(points, shape, edit_rate);
    }
    EXPECT_NEAR(static_cast<double>(found) / kTrials, predicted, 0.05) << length;
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
