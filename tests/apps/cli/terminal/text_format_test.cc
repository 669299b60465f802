#include "cli/terminal/text_format.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace neardup::cli {
namespace {

TEST(DisplayWidth, CountsColumnsOfATerminal) {
  EXPECT_EQ(display_width(""), 0u);
  EXPECT_EQ(display_width("plain text"), 10u);
  EXPECT_EQ(display_width("caf\u00e9"), 4u);
  EXPECT_EQ(display_width("cafe\u0301"), 4u) << "a combining accent";
  EXPECT_EQ(display_width("数据.jsonl"), 10u);
  EXPECT_EQ(display_width("かな 한국"), 9u);
  EXPECT_EQ(display_width("，。"), 4u) << "fullwidth punctuation";
  EXPECT_EQ(display_width("\U00020000"), 2u);
  EXPECT_EQ(display_width("\U0001F600"), 2u);
  EXPECT_EQ(display_width("\xff\xe6\x95"), 3u) << "bytes that are not UTF-8";
}

TEST(Wrapped, BreaksAtTheWidthThatIsSeen) {
  EXPECT_EQ(wrapped("one two three", 2, 9), "one two\n  three");
  EXPECT_EQ(wrapped("数据 质量 分数", 2, 9), "数据\n  质量\n  分数");
  EXPECT_EQ(wrapped("数据 质量 分数", 2, 11), "数据 质量\n  分数");
  EXPECT_EQ(wrapped("much-too-long a", 2, 9), "much-too-long\n  a");
}

TEST(TextFormat, SplitGivesOneMorePartThanSeparators) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(split("n,vn", ','), (Parts{"n", "vn"}));
  EXPECT_EQ(split("", ','), Parts{""});
  EXPECT_EQ(split(",a,", ','), (Parts{"", "a", ""}));
}

}  // namespace
}  // namespace neardup::cli
