#include "text/utf8/characters.h"

#include <gtest/gtest.h>

#include <string>

#include "text/utf8/utf8.h"

namespace neardup {
namespace {

TEST(Characters, AreCountedByTheBytesThatBeginThem) {
  EXPECT_EQ(count_character_begins(""), 0u);
  EXPECT_EQ(count_character_begins("a中\xc3"), 3u);
  EXPECT_EQ(count_character_begins("\x80\x80"), 0u);
  EXPECT_EQ(count_character_begins("né 中𠀀"), 5u);
}

// A clipped text is the longest one that fits and is well-formed.
TEST(Characters, AreNotCutByClipping) {
  const std::string text = "a né中b𠀀c";
  for (size_t most = 0; most <= text.size() + 1; ++most) {
    size_t head = std::min(most, text.size());
    while (!is_valid_utf8(std::string_view(text).substr(0, head))) --head;
    EXPECT_EQ(clip_utf8(text, most), std::string_view(text).substr(0, head)) << most;
    size_t tail = std::min(most, text.size());
    while (!is_valid_utf8(std::string_view(text).substr(text.size() - tail))) --tail;
    EXPECT_EQ(clip_utf8_front(text, most), std::string_view(text).substr(text.size() - tail)) << most;
  }
  EXPECT_EQ(clip_utf8("\x80\x80\x80", 2), "");
  EXPECT_EQ(clip_utf8_front("\x80\x80\x80", 2), "");
}

}  // namespace
}  // namespace neardup
