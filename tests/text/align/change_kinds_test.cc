#include <gtest/gtest.h>

#include <string>

#include "neardup/tools/align.h"

namespace neardup {
namespace {

std::string kinds_between(std::string_view a, std::string_view b) {
  const Alignment alignment = align_texts(a, b);
  const ChangeCounts counts = classify_changes(a, b, alignment);
  std::string text;
  for (size_t i = 0; i < kChangeKinds; ++i) {
    const ChangeCounts::Count& count = counts.kinds[i];
    if (count.changes == 0) continue;
    text += std::string(text.empty() ? "" : " ") + std::string(name_of(static_cast<ChangeKind>(i))) + ":" + std::to_string(count.changes) +
            "/" + std::to_string(count.characters);
  }
  return text;
}

constexpr std::string_view kSentence = "A whole new sentence with more than eight words stands here. ";

TEST(ChangeKinds, Examples) {
  EXPECT_EQ(kinds_between("born in 1984 there", "born in 1985 there"), "digits:1/4");
  EXPECT_EQ(kinds_between("it costs 10,000 yen", "it costs 900 yen"), "digits:1/6");
  EXPECT_EQ(kinds_between("costs yen", "costs 900 yen"), "digits:1/4");
  EXPECT_EQ(kinds_between("第三十条规定", "第四条规定"), "digits:1/2") << "numbers in ideographs";
  EXPECT_EQ(kinds_between("the goverment said", "the government said"), "letters:1/10");
  EXPECT_EQ(kinds_between("in 2O23 it", "in 2023 it"), "letters:1/4");
  EXPECT_EQ(kinds_between("今天天气很好啊", "今天天气真好啊"), "letters:1/1");
  EXPECT_EQ(kinds_between("申请人张三提出", "申请人李四提出"), "words:1/2");
  EXPECT_EQ(kinds_between("the big cat", "the small cat"), "words:1/5");
  EXPECT_EQ(kinds_between("it is on", "it was on"), "words:1/3");
  EXPECT_EQ(kinds_between("it is in", "it is on"), "words:1/2") << "too short to say that letters changed";
  EXPECT_EQ(kinds_between("yes, it is", "yes it is!"), "punctuation:2/2");
  EXPECT_EQ(kinds_between("every-day use", "everyday use"), "punctuation:1/9");
  EXPECT_EQ(kinds_between("every day use", "everyday use"), "spacing:1/9");
  EXPECT_EQ(kinds_between("one Two  three", "one two three"), "spacing:1/11") << "units next to each other are one change";
  EXPECT_EQ(kinds_between("ＡＢＣ is", "abc is"), "spacing:1/3");
  const std::string with = "First. " + std::string(kSentence) + "Last.";
  EXPECT_EQ(kinds_between("First. Last.", with), "inserted:1/61");
  EXPECT_EQ(kinds_between(with, "First. Last."), "deleted:1/61");
}

TEST(ChangeKinds, AMovedPassageCountsOnce) {
  std::string middle;
  for (int i = 0; i < 30; ++i) middle += "word" + std::to_string(i) + " ";
  const std::string a = "Start. " + std::string(kSentence) + middle + "end.";
  const std::string b = "Start. " + middle + std::string(kSentence) + "end.";
  const std::string kinds = kinds_between(a, b);
  EXPECT_EQ(kinds.find("moved:1/"), 0u) << kinds;
  EXPECT_EQ(kinds.find(' '), std::string::npos) << kinds;
}

TEST(ChangeKinds, OfEachPart) {
  const std::string_view a = "In 1984, the big cat SAT.";
  const std::string_view b = "In 1985, the small cat sat.";
  const Alignment alignment = align_texts(a, b);
  std::string kinds;
  for (const auto& kind : kinds_of_parts(a, b, alignment)) kinds += std::string(kind ? name_of(*kind) : "-") + " ";
  EXPECT_EQ(kinds, "- digits - words spacing ");
}

}  // namespace
}  // namespace neardup
