#include "neardup/tools/aligned_excerpt.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup {
namespace {

std::string shown(std::string_view a, std::string_view b, const ExcerptLimits& limits) {
  std::string text;
  for (const ExcerptPiece& piece : aligned_excerpt(a, b, align_texts(a, b), limits)) {
    switch (piece.kind) {
      case ExcerptPiece::kSame:
        text += "=" + std::string(piece.text);
        break;
      case ExcerptPiece::kOnlyA:
        text += "-" + std::string(piece.text);
        break;
      case ExcerptPiece::kOnlyB:
        text += "+" + std::string(piece.text);
        break;
      case ExcerptPiece::kLeftOut:
        text += "~" + std::to_string(piece.characters);
        break;
      case ExcerptPiece::kMore:
        text += "..." + std::to_string(piece.characters);
        break;
    }
    text += "|";
  }
  return text;
}

std::string repeated(std::string_view text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(AlignedExcerpt, LeavesOutTheMiddleOfLongEqualPassages) {
  const std::string same = repeated("同", 100);
  EXPECT_EQ(shown(same + "x", same + "y", {.context = 2}), "~98|=同同|-x|+y|");
  EXPECT_EQ(shown("x" + same, "y" + same, {.context = 2}), "-x|+y|=同同|~98|");
  EXPECT_EQ(shown("x" + same + "p", "y" + same + "q", {.context = 2}), "-x|+y|=同同|~96|=同同|-p|+q|");
  EXPECT_EQ(shown(same, same, {.context = 2}), "~100|");
  EXPECT_EQ(shown("a b c", "a b c", {}), "=a b c|");
  EXPECT_EQ(shown("", "", {}), "");
}

TEST(AlignedExcerpt, LimitsWhatIsShown) {
  const std::string inserted = repeated("new ", 50);
  EXPECT_EQ(shown("a c", "a " + inserted + "c", {.passage = 7}), "=a |+new new|~193|=c|");
  EXPECT_EQ(shown("a c", "a " + inserted + "c", {.characters = 1}), "=a |...202|");
}

TEST(AlignedExcerpt, CutsBetweenWords) {
  const std::string same = "merchantability and fitness for a particular purpose ";
  EXPECT_EQ(shown(same + "x", same + "y", {.context = 12}), "~44|= purpose |-x|+y|");
  EXPECT_EQ(shown("x " + same, "y " + same, {.context = 24}), "-x|+y|= merchantability and |~33|");
  EXPECT_EQ(shown("a c", "a " + same + "c", {.passage = 21}), "=a |+merchantability and |~33|=c|");
  // A word alone that is too long is cut, an ideograph is a word, and a mark stays with its letter.
  const std::string word(100, 'w');
  EXPECT_EQ(shown("x " + word, "y " + word, {.context = 6}), "-x|+y|= |~100|");
  EXPECT_EQ(shown("x" + word + " y", "z", {.passage = 6}), "-xwwwww|~97|+z|");
  EXPECT_EQ(shown("x " + repeated("同", 50) + word, "y " + repeated("同", 50) + word, {.context = 6}), "-x|+y|= 同同同同同|~145|");
  EXPECT_EQ(shown("ab cde\u0301 fgh", "z", {.passage = 6}), "-ab |~8|+z|");
}

TEST(AlignedExcerpt, SaysWherePiecesBegin) {
  const std::string_view a = "one two three";
  const std::string_view b = "one deux three";
  const auto pieces = aligned_excerpt(a, b, align_texts(a, b));
  ASSERT_EQ(pieces.size(), 4u);
  EXPECT_EQ(pieces[1].a_begin, 4u);
  EXPECT_EQ(pieces[2].b_begin, 4u);
  EXPECT_EQ(pieces[3].a_begin, 7u);
  EXPECT_EQ(pieces[3].b_begin, 8u);
}

}  // namespace
}  // namespace neardup
