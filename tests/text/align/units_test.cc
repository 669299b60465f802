#include "text/align/units.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "text/align/alignment_laws.h"
#include "text/text_generators.h"

namespace neardup {
namespace {

struct OwnedUnit {
  std::string bytes;
  std::string folded;
  UnitKind kind;
};

std::vector<OwnedUnit> units_of(std::string_view text) {
  std::vector<OwnedUnit> units;
  UnitCutter cutter(text);
  size_t end = 0;
  for (Unit unit; cutter.next(unit);) {
    EXPECT_TRUE(unit.begin >= end && unit.end > unit.begin && unit.end <= text.size() && !unit.folded.empty());
    end = unit.end;
    units.push_back({std::string(text.substr(unit.begin, unit.end - unit.begin)), std::string(unit.folded), unit.kind});
  }
  return units;
}

std::string listed(std::string_view text) {
  std::string list;
  for (const OwnedUnit& unit : units_of(text)) {
    list += unit.kind == UnitKind::kWord ? "w:" : unit.kind == UnitKind::kSingle ? "s:" : "o:";
    list += unit.folded + "|";
  }
  return list;
}

TEST(Units, Examples) {
  EXPECT_EQ(listed(""), "");
  EXPECT_EQ(listed(" \n\u3000"), "");
  EXPECT_EQ(listed("Hello,  World2!"), "w:hello|o:,|w:world2|o:!|");
  EXPECT_EQ(listed("今天ABC。"), "s:今|s:天|w:abc|o:。|");
  EXPECT_EQ(listed("Ｈｉ１２"), "w:hi12|") << "width";
  EXPECT_EQ(listed("ﾊﾞ"), "s:バ|") << "half-width kana with its voicing sign";
  EXPECT_EQ(listed("cafe\u0301s"), "w:cafés|");
  EXPECT_EQ(listed("a\u00ADb\u200Bc"), "w:abc|") << "what folds to nothing ends no word";
  EXPECT_EQ(listed("中\uFE00国"), "s:中|s:国|");
  EXPECT_EQ(listed("Straße ﬁn"), "w:strasse|w:fin|");
  EXPECT_EQ(listed("½"), "o:1⁄2|");
  EXPECT_EQ(listed("\uFF08a"), "o:(|w:a|");
  EXPECT_EQ(listed("a\xFF\xFE"), "w:a|o:\uFFFD|o:\uFFFD|");
  EXPECT_EQ(listed("😀a"), "o:😀|w:a|");
}

RC_GTEST_PROP(Units, FoldLikeTheStretchesOfTheText, ()) {
  const std::string text = *testing::text();
  std::string folded;
  for (const OwnedUnit& unit : units_of(text)) folded += unit.folded;
  std::string without_white;
  for (size_t at = 0; at < folded.size();) {
    const Decoded decoded = decode_utf8(folded, at);
    if (!is_white_space(decoded.code_point)) append_utf8(decoded.code_point, without_white);
    at += decoded.length;
  }
  RC_ASSERT(without_white == testing::fold_of_stretches(text));
}

// Parts of a text between units are cut into the same units.
RC_GTEST_PROP(Units, AreTheSameFromAnyUnitOn, ()) {
  const std::string text = *testing::text();
  const std::vector<OwnedUnit> units = units_of(text);
  RC_PRE(!units.empty());
  UnitCutter cutter(text);
  Unit unit;
  const auto first = *rc::gen::inRange<size_t>(0, units.size());
  for (size_t i = 0; i <= first; ++i) cutter.next(unit);
  const std::vector<OwnedUnit> rest = units_of(std::string_view(text).substr(unit.begin));
  RC_ASSERT(rest.size() == units.size() - first);
  for (size_t i = 0; i < rest.size(); ++i) RC_ASSERT(rest[i].folded == units[first + i].folded && rest[i].kind == units[first + i].kind);
}

TEST(Units, OfManyMarksTakeLinearTime) {
  std::string text = "a";
  for (int i = 0; i < 500'000; ++i) text += i % 2 == 0 ? "\u0316" : "\u0301";
  EXPECT_EQ(units_of(text).size(), 1u);
}

TEST(Units, CodePointsAreCounted) {
  EXPECT_EQ(count_code_points(""), 0u);
  EXPECT_EQ(count_code_points("a\u00E9中😀\xFF"), 5u);
}

}  // namespace
}  // namespace neardup
