// The word characters of python_simhash_v1: str.lower() of Python 3, then what the regular expression [\w\u4e00-\u9fcc]+ matches.
//
// \w of a Python str is a letter (category L), a code point with a numeric type (decimal, digit, numeric) or U+005F; so marks are none.
// Properties are those of ICU's version of Unicode, see docs/simhash.md. Pure functions; the table is made at first use, shared.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace neardup {

/// The word character that a code point becomes, or 0 if none is left of it. Not for U+03A3, which looks around.
char32_t python_word_character(char32_t c) noexcept;

/// python_word_character of the code points below 0x10000.
const std::array<uint16_t, 0x10000>& python_word_characters() noexcept;

}  // namespace neardup
