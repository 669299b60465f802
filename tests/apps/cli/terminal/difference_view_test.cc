#include "cli/terminal/difference_view.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup::cli {
namespace {

TEST(DifferenceView, MarksChangesWithAndWithoutColors) {
  const DifferenceView view("the quick fox", "the slow fox ran");
  EXPECT_EQ(view.to_text(false), "the [-quick-]{+slow+} fox{+ ran+}\n");
  EXPECT_EQ(view.to_text(true), "the \033[31mquick\033[0m\033[32mslow\033[0m fox\033[32m ran\033[0m\n");
  EXPECT_EQ(view.summary(), "2 changes: words 2");
  EXPECT_EQ(DifferenceView("a", "a").summary(), "none");
  EXPECT_EQ(DifferenceView("", "").to_text(true), "");
}

TEST(DifferenceView, EscapesWhatControlsATerminal) {
  EXPECT_EQ(DifferenceView("a\nb \033[2J", "a\nb c").to_text(false), "a\nb [-\\x1b[2J-]{+c+}\n");
}

TEST(DifferenceView, JsonHasPlacesInBytesAndCharacters) {
  EXPECT_EQ(
      DifferenceView("天x", "天y").to_json(),
      R"("parts":[{"kind":"same","a":{"begin":0,"end":3,"char_begin":0,"char_end":1},)"
      R"("b":{"begin":0,"end":3,"char_begin":0,"char_end":1}},)"
      R"({"kind":"changed","change":"words","a":{"begin":3,"end":4,"char_begin":1,"char_end":2,"text":"x"},)"
      R"("b":{"begin":3,"end":4,"char_begin":1,"char_end":2,"text":"y"}}],)"
      R"("changes":{"digits":{"changes":0,"characters":0},"letters":{"changes":0,"characters":0},)"
      R"("words":{"changes":1,"characters":1},"punctuation":{"changes":0,"characters":0},"spacing":{"changes":0,"characters":0},)"
      R"("inserted":{"changes":0,"characters":0},"deleted":{"changes":0,"characters":0},"moved":{"changes":0,"characters":0}},"coarse":false)");
}

}  // namespace
}  // namespace neardup::cli
