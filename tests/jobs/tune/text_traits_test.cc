#include "jobs/tune/text_traits.h"

#include <gtest/gtest.h>

#include <string>

#include "jobs/tune/length_histogram.h"

namespace neardup {
namespace {

TEST(TextTraitsTest, CountsLettersByScript) {
  const TextTraits traits = traits_of("ab, 12 中文字。ひらがな 한국 дом");
  EXPECT_EQ(traits.letters[TuneCorpus::kLatin], 2u);
  EXPECT_EQ(traits.letters[TuneCorpus::kHan], 3u);
  EXPECT_EQ(traits.letters[TuneCorpus::kKana], 4u);
  EXPECT_EQ(traits.letters[TuneCorpus::kHangul], 2u);
  EXPECT_EQ(traits.letters[TuneCorpus::kCyrillic], 3u);
  EXPECT_EQ(traits.letters[TuneCorpus::kOtherScript], 0u);
  EXPECT_TRUE(traits_of("中文 a").mostly_han());
  EXPECT_FALSE(traits_of("中 abc").mostly_han());
}

TEST(TextTraitsTest, TellsPagesProgramsAndProseApart) {
  EXPECT_TRUE(traits_of("<html><body><p>one</p><p>two</p></body></html>").html);
  EXPECT_FALSE(traits_of("if a < b and b > c then <x> is it, and 1 < 2").html);
  EXPECT_FALSE(traits_of("< < < <a").html);
  const std::string program = "#include <stdio.h>\n\nint main(void) {\n  // say it\n  printf(\"%d\", f(1));\n  return 0;\n}\n";
  EXPECT_TRUE(traits_of(program).code);
  EXPECT_FALSE(traits_of("It was a dark night,\nthe rain fell,\nand the wind,\nwhich rarely slept,\nwas up.").code);
  const TextTraits nothing = traits_of("");
  EXPECT_FALSE(nothing.html || nothing.code || nothing.mostly_han());
  EXPECT_EQ(nothing.characters, 0u);
}

TEST(TextTraitsTest, IsDefinedForAnyBytes) {
  std::string bytes;
  for (int i = 0; i < 4096; ++i) bytes += static_cast<char>(i * 37 + i / 7);
  EXPECT_GT(traits_of(bytes).characters, 0u);
}

TEST(LengthHistogramTest, QuantilesAreWithinTenPercent) {
  LengthHistogram lengths;
  EXPECT_EQ(lengths.quantile(0.5), 0u);
  EXPECT_TRUE(lengths.bins().empty());
  for (uint64_t length = 1; length <= 10'000; ++length) lengths.add(length);
  EXPECT_NEAR(static_cast<double>(lengths.quantile(0.5)), 5000, 500);
  EXPECT_NEAR(static_cast<double>(lengths.quantile(0.9)), 9000, 900);
  EXPECT_EQ(lengths.quantile(0), 1u);
}

TEST(LengthHistogramTest, BinsHaveEveryText) {
  LengthHistogram lengths;
  for (const uint64_t length : {uint64_t{0}, uint64_t{1}, uint64_t{19}, uint64_t{20}, uint64_t{300'000'000}, ~uint64_t{0}})
    lengths.add(length);
  uint64_t documents = 0;
  for (const TuneCorpus::LengthBin& bin : lengths.bins()) documents += bin.documents;
  EXPECT_EQ(documents, 6u);
  EXPECT_EQ(lengths.bins().front().from, 0u);
}

}  // namespace
}  // namespace neardup
