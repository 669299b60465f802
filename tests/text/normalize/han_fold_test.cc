#include "text/normalize/han_fold.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unicode/translit.h>
#include <unicode/unistr.h>

#include <memory>

#include "text/text_generators.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

std::string folded(std::string_view text) {
  std::string out = "left over";
  HanFold::traditional_to_simplified().fold(text, out);
  return out;
}

const icu::Transliterator& transliterator() {
  static const std::unique_ptr<icu::Transliterator> made = [] {
    UErrorCode status = U_ZERO_ERROR;
    return std::unique_ptr<icu::Transliterator>(icu::Transliterator::createInstance("Traditional-Simplified", UTRANS_FORWARD, status));
  }();
  return *made;
}

std::string transliterated(std::string_view text) {
  icu::UnicodeString all = icu::UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())});
  transliterator().transliterate(all);
  std::string out;
  all.toUTF8String(out);
  return out;
}

TEST(HanFold, BothWritingsBecomeOne) {
  EXPECT_EQ(folded("漢語abc與國家。"), "汉语abc与国家。");
  EXPECT_EQ(folded("汉语abc与国家。"), "汉语abc与国家。");
  EXPECT_EQ(folded("頭髮、發展"), "头发、发展") << "characters that simplification merged";
  EXPECT_EQ(folded(""), "");
  EXPECT_EQ(folded("\xFF漢\xE6\xBC"), "\xFF汉\xE6\xBC") << "what is not UTF-8 stays";
}

// ICU has no image of another length in UTF-8; a table may.
TEST(HanFold, ImagesOfAnyLength) {
  const HanFold fold({{U'漢', U'汉'}, {U'\U00020000', U'丘'}, {U'國', U'\U00020001'}, {U'一', U'z'}, {U'a', U'b'}, {U'\U0002A6D6', U'漢'}});
  std::string out;
  fold.fold("漢a丘", out);
  EXPECT_EQ(out, "汉a丘");
  fold.fold("漢a\U00020000國\xFF\U00020001漢", out);
  EXPECT_EQ(out, "汉a丘\U00020001\xFF\U00020001汉");
  fold.fold("漢國", out);
  EXPECT_EQ(out, "汉\U00020001");
  fold.fold("漢一漢", out);
  EXPECT_EQ(out, "汉z汉");
  fold.fold("\U0002A6D6", out);
  EXPECT_EQ(out, "汉") << "the image of the image";
  EXPECT_EQ(fold.size(), 5u);
  EXPECT_EQ(fold.fold(U'a'), U'a') << "no Han";
  const HanFold circle({{U'丙', U'丁'}, {U'丁', U'乙'}, {U'乙', U'丙'}, {U'甲', U'丙'}});
  circle.fold("甲乙丙丁", out);
  EXPECT_EQ(out, "丁丁丁丁");
}

// All code points, one by one. Two differ: ICU swaps them, so that its images are not an images of themselves.
TEST(HanFold, IsTheTransliteratorOnEveryCodePoint) {
  const HanFold& fold = HanFold::traditional_to_simplified();
  std::vector<char32_t> different;
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    icu::UnicodeString text(static_cast<UChar32>(c));
    transliterator().transliterate(text);
    const auto image = static_cast<char32_t>(text.char32At(0));
    if (text.countChar32() != 1 || image != fold.fold(c)) different.push_back(c);
    EXPECT_EQ(fold.fold(fold.fold(c)), fold.fold(c));
  }
  EXPECT_EQ(different, (std::vector<char32_t>{0x82CE, 0x85B4}));
  EXPECT_EQ(fold.fold(0x82CE), 0x82CEu);
  EXPECT_EQ(fold.fold(0x82E7), 0x82CEu);
  EXPECT_EQ(fold.fold(0x85B4), 0x82CEu);
  EXPECT_GT(fold.size(), 2800u);
  // Computed in Python from the output of the transliterator; docs/weights.md says so for this version.
  if (U_ICU_VERSION_MAJOR_NUM == 72) {
    EXPECT_EQ(fold.size(), 2854u);
    EXPECT_EQ(fold.id(), 0xf6c512f6eb03caceu);
  }
}

// Where the whole transliterator differs from its characters one by one: its rules for words. What counts is not that a word is converted
// well, but that both of its writings fold to the same. For some they do not ("\u751A\u9EBC" and "\u4EC0\u4E48"): another word is chosen.
TEST(HanFold, MergesMostWordsThatHaveRulesOfTheirOwn) {
  icu::UnicodeString rules;
  transliterator().toRules(rules, 0);
  std::string text;
  rules.toUTF8String(text);
  size_t words = 0;
  size_t converted_otherwise = 0;
  size_t not_merged = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const size_t arrow = line.find(" > ");
    if (arrow == std::string::npos || line.find_first_of(":'\\[]{}()$") != std::string::npos) continue;
    const std::string word = line.substr(0, arrow);
    if (word.size() <= 3) continue;  // one character
    ++words;
    converted_otherwise += folded(word) != transliterated(word);
    not_merged += folded(word) != folded(transliterated(word));
  }
  RecordProperty("rules_for_words", static_cast<int>(words));
  RecordProperty("converted_otherwise", static_cast<int>(converted_otherwise));
  RecordProperty("not_merged", static_cast<int>(not_merged));
  std::printf("%zu rules for words, %zu converted otherwise, %zu not merged\n", words, converted_otherwise, not_merged);
  EXPECT_GT(words, 500u);
  EXPECT_LT(not_merged * 7, words);
}

RC_GTEST_PROP(HanFoldLaw, fast_is_code_point_by_code_point, ()) {
  const auto piece =
      rc::gen::oneOf(testing::code_point_in(0x4E00, 0x9FFF), testing::code_point_in(0x20, 0x7E), testing::code_point_in(0, 0x10FFFF),
                     rc::gen::element<std::string>("\xFF", "\xE6\xBC", "\x80", "long ascii text of 16 bytes and more"));
  const auto pieces = *rc::gen::container<std::vector<std::string>>(piece);
  std::string text;
  for (const std::string& each : pieces) text += each;
  std::string expected;
  for (size_t at = 0; at < text.size();) {
    const Decoded next = decode_utf8(text, at);
    if (next.valid) {
      append_utf8(HanFold::traditional_to_simplified().fold(next.code_point), expected);
    } else {
      expected += text.substr(at, next.length);
    }
    at += next.length;
  }
  RC_ASSERT(folded(text) == expected);
  RC_ASSERT(folded(expected) == expected);
}

}  // namespace
}  // namespace neardup
