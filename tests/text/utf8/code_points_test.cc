// The written-out ranges against ICU's properties, for the code points that ICU knows.
#include "text/utf8/code_points.h"

#include <gtest/gtest.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

namespace neardup {
namespace {

UScriptCode script_of(UChar32 c) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(c, &status);
}

// The words of docs/recipe.md: ideographs and Han characters that are neither marks nor punctuation, kana letters, hangul syllables.
bool is_single_by_properties(UChar32 c) {
  const auto category = U_GET_GC_MASK(c);
  const UScriptCode script = script_of(c);
  const bool ideograph = u_hasBinaryProperty(c, UCHAR_IDEOGRAPHIC) || script == USCRIPT_HAN;
  if (ideograph) return (category & (U_GC_M_MASK | U_GC_P_MASK)) == 0;
  const bool kana = script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA;
  return (kana && (category & U_GC_L_MASK) != 0) || (c >= 0xAC00 && c <= 0xD7A3);
}

TEST(CodePoints, single_tokens_are_what_the_properties_say) {
  for (UChar32 c = 0; c < 0x110000; ++c) {
    if (!u_isdefined(c)) continue;
    ASSERT_EQ(is_single_token(static_cast<char32_t>(c)), is_single_by_properties(c)) << std::hex << c;
  }
}

TEST(CodePoints, white_space_is_the_listed_one) {
  // ICU's White_Space property, and the four separators U+001C..001F.
  for (UChar32 c = 0; c < 0x110000; ++c) {
    const bool expected = u_isUWhiteSpace(c) || (c >= 0x1C && c <= 0x1F);
    ASSERT_EQ(is_white_space(static_cast<char32_t>(c)), expected) << std::hex << c;
  }
}

TEST(CodePoints, cjk_bounds) {
  for (const char32_t c : {U'\u2E80', U'\u3001', U'\u303F', U'\u3100', U'\u312F', U'\u3400', U'\u4DBF', U'\u4E00', U'\u9FFF', U'\uF900',
                           U'\uFAFF', U'\uFE30', U'\uFE4F', U'\uFF00', U'\uFFEF', U'\U00020000', U'\U0003FFFF'}) {
    EXPECT_TRUE(is_cjk(c)) << static_cast<uint32_t>(c);
  }
  for (const char32_t c : {U'a', U'\u2E7F', U'\u3000', U'\u3040', U'\u30FF', U'\u3130', U'\u33FF', U'\u4DC0', U'\uA000', U'\uF8FF',
                           U'\uFB00', U'\uFE2F', U'\uFE50', U'\uFEFF', U'\uFFF0', U'\U0001FFFF', U'\U00040000'}) {
    EXPECT_FALSE(is_cjk(c)) << static_cast<uint32_t>(c);
  }
}

TEST(CodePoints, the_table_is_the_function) {
  for (char32_t c = 0; c < 0x10000; ++c) ASSERT_EQ(word_classes()[c], word_class(c)) << static_cast<uint32_t>(c);
}

}  // namespace
}  // namespace neardup
