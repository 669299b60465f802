#include "sketch/python_simhash_words.h"

#include <unicode/uchar.h>

namespace neardup {
namespace {

bool is_word_character(char32_t c) noexcept {
  const auto point = static_cast<UChar32>(c);
  return c == U'_' || (c >= 0x4E00 && c <= 0x9FCC) || (U_GET_GC_MASK(point) & U_GC_L_MASK) != 0 ||
         u_getIntPropertyValue(point, UCHAR_NUMERIC_TYPE) != U_NT_NONE;
}

std::array<uint16_t, 0x10000> make_word_characters() noexcept {
  std::array<uint16_t, 0x10000> made{};
  for (char32_t c = 0; c < 0x10000; ++c) made[c] = static_cast<uint16_t>(python_word_character(c));
  return made;
}

}  // namespace

char32_t python_word_character(char32_t c) noexcept {
  // One to one but for U+0130, whose second lower-case code point, U+0307, is not a word character.
  const auto lower = static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
  return is_word_character(lower) ? lower : 0;
}

const std::array<uint16_t, 0x10000>& python_word_characters() noexcept {
  static const std::array<uint16_t, 0x10000> characters = make_word_characters();
  return characters;
}

}  // namespace neardup
