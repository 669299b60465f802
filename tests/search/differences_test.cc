#include "search/differences.h"

#include <gtest/gtest.h>

#include "search/code_points.h"

namespace neardup {
namespace {

std::string marked(std::string_view clue, std::string_view passage) {
  const ClueForm form(false);
  ClueForm::Scratch scratch;
  std::string clue_form;
  std::string passage_form;
  std::vector<ClueForm::Place> clue_places;
  std::vector<ClueForm::Place> passage_places;
  std::vector<char32_t> clue_points;
  std::vector<char32_t> passage_points;
  form.form_with_places(clue, clue_form, clue_places, scratch);
  form.form_with_places(passage, passage_form, passage_places, scratch);
  to_code_points(clue_form, clue_points);
  to_code_points(passage_form, passage_points);
  return mark_differences({clue_points, clue_places, clue}, {passage_points, passage_places, passage});
}

TEST(Differences, AreMarkedInThePassage) {
  EXPECT_EQ(marked("the same", "the same"), "the same");
  EXPECT_EQ(marked("thirty days", "forty days"), "[-thi-]{+fo+}rty days");
  EXPECT_EQ(marked("a fox", "a red fox"), "a{+ red+} fox");
  EXPECT_EQ(marked("a red fox", "a fox"), "a[- red-] fox");
  EXPECT_EQ(marked("一切权力属于人民", "一切权利属于公民"), "一切权[-力-]{+利+}属于[-人-]{+公+}民");
}

// What the form removes is not a difference; it is shown as in the passage.
TEST(Differences, KeepTheTextOfThePassage) {
  EXPECT_EQ(marked("the best of times", "The BEST -- of Times"), "The BEST -- of Times");
  EXPECT_EQ(marked("权力属于人民", "权力，属于公民"), "权力，属于[-人-]{+公+}民");
  EXPECT_EQ(marked("Day one", "day ONE!"), "day ONE");
}

// The form makes several code points of one character, or one of several.
TEST(Differences, MarkWholeCharacters) {
  EXPECT_EQ(marked("fxnance of", "\uFB01nance of"), "[-fx-]{+\uFB01+}nance of");
  EXPECT_EQ(marked("\uFB01nance of", "fxnance of"), "[-\uFB01-]{+fx+}nance of");
  EXPECT_EQ(marked("fxinance", "\uFB01nance"), "[-fxi-]{+\uFB01+}nance");
  EXPECT_EQ(marked("ffx cafe", "\uFB03 cafe"), "[-ffx-]{+\uFB03+} cafe");
  EXPECT_EQ(marked("the cafe", "the cafe\u0301"), "the caf[-e-]{+e\u0301+}");
  EXPECT_EQ(marked("ABC 12", "\uFF21\uFF22\uFF24 12"), "\uFF21\uFF22[-C-]{+\uFF24+} 12");
  EXPECT_EQ(marked("\u3231\u7530 x", "(\u6709)\u7530 x"), "[-\u3231-]{+\u6709+})\u7530 x");
}

TEST(Differences, OfNothing) {
  EXPECT_EQ(marked("abc", ""), "");
}

}  // namespace
}  // namespace neardup
