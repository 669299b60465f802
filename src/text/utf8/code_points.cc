#include "text/utf8/code_points.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/uversion.h>

namespace neardup {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

constexpr Range kSingles[] = {
    {0x2E80, 0x2FDF},    // radicals
    {0x3005, 0x3007},    // iteration mark, closing mark, zero
    {0x3021, 0x3029},    // hangzhou numerals
    {0x3038, 0x303B},    // hangzhou numerals, vertical iteration mark
    {0x3041, 0x3096},    // hiragana
    {0x309D, 0x309F},    // hiragana iteration marks, digraph
    {0x30A1, 0x30FA},    // katakana
    {0x30FD, 0x30FF},    // katakana iteration marks, digraph
    {0x31F0, 0x31FF},    // katakana phonetic extensions
    {0x3400, 0x4DBF},    // ideographs, extension A
    {0x4E00, 0x9FFF},    // ideographs
    {0xAC00, 0xD7A3},    // hangul syllables
    {0xF900, 0xFAFF},    // compatibility ideographs
    {0xFF66, 0xFF6F},    // half-width katakana
    {0xFF71, 0xFF9D},    // half-width katakana
    {0x16FE3, 0x16FE3},  // old Chinese iteration mark
    {0x17000, 0x18D7F},  // Tangut, Khitan
    {0x1AFF0, 0x1B16F},  // kana extensions and supplement
    {0x1B170, 0x1B2FF},  // Nushu
    {0x20000, 0x3FFFF},  // ideographs, extensions B and later
};

constexpr bool is_kana_sign(char32_t c) noexcept {
  return c == 0x30FC || c == 0xFF70 || c == 0xFF9E || c == 0xFF9F;
}

std::array<WordClass, 0x10000> make_word_classes() noexcept {
  std::array<WordClass, 0x10000> classes{};
  for (char32_t c = 0; c < 0x10000; ++c) classes[c] = word_class(c);
  return classes;
}

}  // namespace

std::string unicode_version() {
  UVersionInfo unicode{};
  u_getUnicodeVersion(unicode);
  return fmt::format("{}.{}", unicode[0], unicode[1]);
}

bool is_single_token(char32_t c) noexcept {
  for (const Range& range : kSingles) {
    if (c <= range.last) return c >= range.first;
  }
  return false;
}

WordClass word_class(char32_t c) noexcept {
  if (is_single_token(c)) return WordClass::kSingle;
  if (is_kana_sign(c)) return WordClass::kMark;
  const uint32_t category = U_GET_GC_MASK(static_cast<UChar32>(c));
  if ((category & (U_GC_L_MASK | U_GC_ND_MASK)) != 0) return WordClass::kLetter;
  return (category & U_GC_M_MASK) != 0 ? WordClass::kMark : WordClass::kSeparator;
}

const std::array<WordClass, 0x10000>& word_classes() noexcept {
  static const std::array<WordClass, 0x10000> classes = make_word_classes();
  return classes;
}

}  // namespace neardup
