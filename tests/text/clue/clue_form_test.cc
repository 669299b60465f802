#include "text/clue/clue_form.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "text/clue/clue_form_reference.h"
#include "text/text_generators.h"

namespace neardup {
namespace {

using Places = std::vector<ClueForm::Place>;

const ClueForm& clue_form_of(bool fold_han) {
  static const ClueForm plain(false);
  static const ClueForm folding(true);
  return fold_han ? folding : plain;
}

std::string form_of(std::string_view text, bool fold_han = false) {
  std::string out = "left over";
  ClueForm::Scratch scratch;
  clue_form_of(fold_han).form(text, out, scratch);
  return out;
}

std::string placed_form_of(std::string_view text, Places& places, bool fold_han = false) {
  std::string out = "left over";
  ClueForm::Scratch scratch;
  clue_form_of(fold_han).form_with_places(text, out, places, scratch);
  return out;
}

std::vector<std::string> code_points_of(std::string_view form) {
  std::vector<std::string> points;
  for (size_t at = 0; at < form.size();) {
    const Decoded decoded = decode_utf8(form, at);
    points.emplace_back(form.substr(at, decoded.length));
    at += decoded.length;
  }
  return points;
}

// Separators between kinds of characters: what text_generators.h has rarely.
rc::Gen<std::string> clue_text() {
  const auto piece = rc::gen::weightedOneOf<std::string>({
      {4, testing::text_piece()},
      {2, rc::gen::element<std::string>(" ", ", ", "\u3000", "\uFF0C", "\u3002", "\u00A0", "-", "\n\n", "\u200B", "\u00AD", "\uFFFD", "_")},
      {2, rc::gen::element<std::string>("a", "Word", "\u4E2D", "\u6F22\u570B", "\uD55C", "\u304B", "\u30FC", "9", "\u0301", "\U0001F600")},
  });
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](const std::vector<std::string>& pieces) {
    std::string joined;
    for (const std::string& one : pieces) joined += one;
    return joined;
  });
}

TEST(ClueForm, Examples) {
  EXPECT_EQ(form_of(""), "");
  EXPECT_EQ(form_of(" ,;\n"), "");
  EXPECT_EQ(form_of("  Hello,\n\tWORLD!! "), "hello world");
  EXPECT_EQ(form_of("snake_case 3.14"), "snake case 3 14");
  EXPECT_EQ(form_of("人民法院，应当 公开审理。"), "人民法院应当公开审理");
  EXPECT_EQ(form_of("使用 Python 3.11 编写"), "使用python 3 11编写") << "a blank only where neither side is wide";
  EXPECT_EQ(form_of("ＡＢＣ１２３"), "abc123");
  EXPECT_EQ(form_of("Ｈｅｌｌｏ，ｗｏｒｌｄ"), "hello world");
  EXPECT_EQ(form_of("ﾊﾞｰｽ"), "バース") << "half-width kana";
  EXPECT_EQ(form_of("한국어 텍스트"), "한국어텍스트");
  EXPECT_EQ(form_of("cafe\u0301"), "café");
  EXPECT_EQ(form_of("a\u00ADb"), "ab") << "a soft hyphen vanishes in the normalizer";
  EXPECT_EQ(form_of("好😀的"), "好的");
  EXPECT_EQ(form_of("a😀b"), "a b");
  EXPECT_EQ(form_of("a\xFF\xE4\xB8z"), "a z") << "malformed bytes are separators";
  EXPECT_EQ(form_of("漢語與國家", true), "汉语与国家");
  EXPECT_EQ(form_of("漢語與國家", false), "漢語與國家");
}

TEST(ClueForm, Columns) {
  for (const char32_t c : {U'a', U'9', U' ', U'\u00E9', U'\u0416', U'\u0301', U'\u30FC', U'\U0001F600'})
    EXPECT_EQ(columns_of(c), 1u) << uint32_t{c};
  for (const char32_t c : {U'\u4E2D', U'\u3042', U'\u30A2', U'\uD55C', U'\U00020000', U'\u3007'})
    EXPECT_EQ(columns_of(c), 2u) << uint32_t{c};
  for (char32_t c = 0; c < 0x40000; ++c) ASSERT_EQ(columns_of(c), columns_of(c, word_classes())) << uint32_t{c};
}

TEST(ClueForm, PlacesOfExamples) {
  Places places;
  EXPECT_EQ(placed_form_of(" Ab,  c", places), "ab c");
  EXPECT_EQ(places, (Places{{1, 2}, {2, 3}, {3, 6}, {6, 7}})) << "the blank stands for the comma and the white space";
  EXPECT_EQ(placed_form_of("中，文 x", places), "中文x");
  EXPECT_EQ(places, (Places{{0, 3}, {6, 9}, {10, 11}}));
  EXPECT_EQ(placed_form_of("e\u0301\uFB01", places), "éfi");
  EXPECT_EQ(places, (Places{{0, 3}, {3, 6}, {3, 6}})) << "one place for what was composed, and for all that one code point became";
  EXPECT_EQ(placed_form_of("\uFF76 \uFF9E", places), "\u30AC") << "white space between CJK characters is removed before they compose";
  EXPECT_EQ(places, (Places{{0, 7}}));
  EXPECT_EQ(placed_form_of("x\u00A8", places), "x \u0308") << "a code point that becomes a blank and a mark";
  EXPECT_EQ(places, (Places{{0, 1}, {1, 3}, {1, 3}}));
  EXPECT_EQ(placed_form_of("  ", places), "");
  EXPECT_TRUE(places.empty());
}

RC_GTEST_PROP(ClueForm, EqualsReference, ()) {
  const auto text = *clue_text();
  const bool fold_han = *rc::gen::arbitrary<bool>();
  RC_ASSERT(form_of(text, fold_han) == reference_clue_form(text, fold_han));
}

RC_GTEST_PROP(ClueForm, PlacedFormIsTheForm, ()) {
  const auto text = *clue_text();
  const bool fold_han = *rc::gen::arbitrary<bool>();
  Places places;
  RC_ASSERT(placed_form_of(text, places, fold_han) == form_of(text, fold_han));
}

// Every code point of the form comes from its place: the bytes of a place alone have the form that stands there, and what lies between
// places has none.
RC_GTEST_PROP(ClueForm, PlacesHoldTheirCodePoints, ()) {
  const auto text = *clue_text();
  Places places;
  const std::vector<std::string> points = code_points_of(placed_form_of(text, places));
  RC_ASSERT(points.size() == places.size());
  RC_ASSERT(std::ranges::is_sorted(places, {}, &ClueForm::Place::begin));
  RC_ASSERT(std::ranges::is_sorted(places, {}, &ClueForm::Place::end));
  size_t covered = 0;
  for (size_t i = 0; i < points.size();) {
    const ClueForm::Place place = places[i];
    RC_ASSERT(place.begin < place.end && place.end <= text.size());
    std::string standing;
    for (; i < points.size() && places[i] == place; ++i) standing += points[i];
    // A blank may share its place with what the same code point became besides separators; the form of that place has no blank.
    if (standing.starts_with(' ')) standing.erase(0, 1);
    if (standing.ends_with(' ')) standing.pop_back();
    RC_ASSERT(form_of(text.substr(place.begin, place.end - place.begin)) == standing || standing.empty());
    if (place.begin > covered) RC_ASSERT(form_of(text.substr(covered, place.begin - covered)).empty());
    covered = std::max<size_t>(covered, place.end);
  }
  RC_ASSERT(form_of(text.substr(covered)).empty());
}

// A clue may be cut anywhere, in the middle of a word too.
RC_GTEST_PROP(ClueForm, PartsOfTheTextHavePartsOfTheForm, ()) {
  const auto text = *clue_text();
  Places places;
  const std::vector<std::string> points = code_points_of(placed_form_of(text, places));
  RC_PRE(!points.empty());
  const size_t first = *rc::gen::inRange<size_t>(0, points.size());
  const size_t last = *rc::gen::inRange<size_t>(first, points.size());
  size_t from = first;
  size_t to = last + 1;
  while (from > 0 && places[from - 1].end > places[from].begin) --from;
  while (to < places.size() && places[to].begin < places[to - 1].end) ++to;
  std::string part;
  for (size_t i = from; i < to; ++i) part += points[i];
  if (part.starts_with(' ')) part.erase(0, 1);
  if (part.ends_with(' ')) part.pop_back();
  RC_ASSERT(form_of(text.substr(places[from].begin, places[to - 1].end - places[from].begin)) == part);
}

TEST(ClueForm, LongRuns) {
  const std::string marks = [] {
    std::string text = "a";
    for (int i = 0; i < 20000; ++i) text += "\u0316\u0301";
    return text;
  }();
  Places places;
  EXPECT_EQ(placed_form_of(marks, places), form_of(marks));
  EXPECT_EQ(places.front().end, marks.size());
  EXPECT_EQ(form_of(std::string(100000, ' ') + "x" + std::string(100000, ' ')), "x");
  EXPECT_EQ(form_of(std::string(100000, 'A')), std::string(100000, 'a'));
}

}  // namespace
}  // namespace neardup
