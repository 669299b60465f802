// The classes of code points in our own definitions: white space and CJK (normalizer), and those of words_v1; and the version of Unicode
// for everything else.
//
// The ranges are written out, not asked of ICU, so that they mean the same under every version of Unicode. Pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

/// The version of Unicode that normalizers, tokenizers and word classes use, which is that of the ICU library: "15.0", the major and the
/// minor number; the third one changes no property.
std::string unicode_version();
/// The version of recipes that name none.
inline constexpr std::string_view kDefaultUnicode = "15.0";

constexpr bool is_ascii_white_space(char32_t c) noexcept {
  return (c >= 9 && c <= 13) || (c >= 28 && c <= 32);
}

/// The white space of normalizer.h.
constexpr bool is_white_space(char32_t c) noexcept {
  if (c < 0x80) return is_ascii_white_space(c);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

/// The CJK class of normalizer.h, white space aside.
constexpr bool is_cjk(char32_t c) noexcept {
  if (c < 0x2E80 || c == 0x3000) return false;
  return c <= 0x303F || (c >= 0x3100 && c <= 0x312F) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE4F) || (c >= 0xFF00 && c <= 0xFFEF) || (c >= 0x20000 && c <= 0x3FFFF);
}

/// The class of a code point for words_v1.
enum class WordClass : uint8_t {
  kSeparator,
  kLetter,  ///< a letter (L) or a decimal digit (Nd)
  kMark,    ///< a mark (M), or one of the kana length and voicing signs U+30FC, FF70, FF9E, FF9F
  kSingle,  ///< a token of its own: ideographs, kana, hangul syllables
};

/// The kSingle ranges: Han (radicals, U+3005-3007, hangzhou numerals, unified and compatibility ideographs, planes 2 and 3), kana
/// (half-width and supplements too), hangul syllables, Tangut, Khitan and Nushu. Code points that are still unassigned count too.
bool is_single_token(char32_t c) noexcept;

/// By ICU's general category where is_single_token and the kana signs do not decide.
WordClass word_class(char32_t c) noexcept;

/// word_class of the code points below 0x10000; made at first use, shared.
const std::array<WordClass, 0x10000>& word_classes() noexcept;

}  // namespace neardup
