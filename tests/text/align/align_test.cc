#include "neardup/tools/align.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "text/align/alignment_laws.h"
#include "text/align/units.h"
#include "text/text_generators.h"

namespace neardup {
namespace {

constexpr AlignOptions kUnjoined{.join_changes = false};

std::string marked(std::string_view a, std::string_view b, const AlignOptions& options = {}) {
  const Alignment alignment = align_texts(a, b, options);
  EXPECT_EQ(testing::problem_of(a, b, alignment), "");
  std::string text;
  for (const AlignedPart& part : alignment.parts) {
    if (part.kind == AlignedPart::kSame) {
      text += part.text_of_a(a);
      continue;
    }
    if (part.a_end > part.a_begin) text += "[-" + std::string(part.text_of_a(a)) + "-]";
    if (part.b_end > part.b_begin) text += "{+" + std::string(part.text_of_b(b)) + "+}";
  }
  return text;
}

std::vector<std::string> folded_units(std::string_view text) {
  std::vector<std::string> units;
  UnitCutter cutter(text);
  for (Unit unit; cutter.next(unit);) units.emplace_back(unit.folded);
  return units;
}

// The units that any alignment has to change: those outside a longest common subsequence.
size_t oracle_changed(std::string_view a, std::string_view b) {
  const std::vector<std::string> units_a = folded_units(a);
  const std::vector<std::string> units_b = folded_units(b);
  std::vector<std::vector<size_t>> common(units_a.size() + 1, std::vector<size_t>(units_b.size() + 1));
  for (size_t i = 0; i < units_a.size(); ++i) {
    for (size_t j = 0; j < units_b.size(); ++j) {
      common[i + 1][j + 1] = units_a[i] == units_b[j] ? common[i][j] + 1 : std::max(common[i][j + 1], common[i + 1][j]);
    }
  }
  return units_a.size() + units_b.size() - 2 * common[units_a.size()][units_b.size()];
}

size_t changed(std::string_view a, std::string_view b, const Alignment& alignment) {
  size_t count = 0;
  for (const AlignedPart& part : alignment.parts) {
    if (part.kind == AlignedPart::kChanged) count += folded_units(part.text_of_a(a)).size() + folded_units(part.text_of_b(b)).size();
  }
  return count;
}

TEST(Align, Examples) {
  EXPECT_EQ(marked("", ""), "");
  EXPECT_EQ(marked("a b c", "a b c"), "a b c");
  EXPECT_EQ(marked("", "new"), "{+new+}");
  EXPECT_EQ(marked("old", ""), "[-old-]");
  EXPECT_EQ(marked("the quick fox", "the slow fox"), "the [-quick-]{+slow+} fox");
  EXPECT_EQ(marked("the fox", "the slow fox"), "the {+slow +}fox");
  EXPECT_EQ(marked("the fox", "the fox ran"), "the fox{+ ran+}");
  EXPECT_EQ(marked("ran the fox", "the fox"), "[-ran -]the fox");
  EXPECT_EQ(marked("今天天气很好", "今天天气真好。"), "今天天气[-很-]{+真+}好{+。+}");
  EXPECT_EQ(marked("  ", "x"), "[-  -]{+x+}");
  EXPECT_EQ(marked("  ", "\n"), "  ");
  EXPECT_EQ(marked("Hello, WORLD", "Ｈｅｌｌｏ，world"), "Hello, WORLD") << "width, case and white space are the same";
}

TEST(Align, PlacesAnInsertionAtLinesAndSentences) {
  EXPECT_EQ(marked("One is here. Three is here.", "One is here. Two is here. Three is here."),
            "One is here. {+Two is here. +}Three is here.");
  EXPECT_EQ(marked("a b\na c\n", "a b\na x\na c\n"), "a b\n{+a x\n+}a c\n");
}

TEST(Align, JoinsChangesThatLittleSeparates) {
  const std::string a = "everybody understood the consequences";
  const std::string b = "nobody, remembered the arrangements, though";
  EXPECT_EQ(marked("the " + a + " of it", "the " + b + " of it"), "the [-" + a + "-]{+" + b + "+} of it");
  EXPECT_NE(marked(a, b, kUnjoined).find(" the "), std::string::npos);
  EXPECT_EQ(marked("an old big cat", "a old big bat"), "[-an-]{+a+} old big [-cat-]{+bat+}");
}

RC_GTEST_PROP(Align, CoversAnyTexts, ()) {
  const std::string a = *testing::text();
  const std::string b = *rc::gen::oneOf(testing::text(), rc::gen::map(testing::text(), [a](const std::string& added) {
                                          return a.substr(0, a.size() / 2) + added + a.substr(a.size() / 2);
                                        }));
  for (const bool join : {false, true}) {
    const Alignment alignment = align_texts(a, b, {.join_changes = join});
    RC_ASSERT(testing::problem_of(a, b, alignment) == "");
    RC_ASSERT(testing::problem_of_excerpt(a, b, alignment, {}) == "");
    RC_ASSERT(testing::problem_of_excerpt(a, b, alignment, {.context = 3, .passage = 10, .characters = 40}) == "");
    RC_ASSERT(kinds_of_parts(a, b, alignment).size() == alignment.parts.size());
    if (!join) RC_ASSERT(changed(a, b, alignment) == oracle_changed(a, b));
  }
}

RC_GTEST_PROP(Align, OfATextWithItselfChangesNothing, ()) {
  const std::string a = *testing::text();
  const Alignment alignment = align_texts(a, a);
  RC_ASSERT(alignment.parts.size() == static_cast<size_t>(!a.empty()));
  RC_ASSERT(classify_changes(a, a, alignment) == ChangeCounts());
}

TEST(Align, OfLongTextsIsCloseToTheEditsMade) {
  std::mt19937_64 random(7);
  std::string a;
  std::string b;
  size_t edits = 0;
  for (int i = 0; i < 60'000; ++i) {
    // Words are as unequally frequent as in real texts.
    const std::string word = "w" + std::to_string(random() % (random() % 5000 + 1)) + (random() % 12 == 0 ? ". " : " ");
    if (random() % 40 == 0) {
      b += "edit" + std::to_string(random() % 1000) + " ";
      edits += 1;
    }
    a += word;
    b += word;
  }
  const Alignment alignment = align_texts(a, b, kUnjoined);
  EXPECT_EQ(testing::problem_of(a, b, alignment), "");
  EXPECT_FALSE(alignment.coarse);
  EXPECT_LE(changed(a, b, alignment), edits + edits / 20);
}

}  // namespace
}  // namespace neardup
