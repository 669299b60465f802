// The parts of python_simhash_v1 that are not public: tokens of a TokenBuffer, and what its tests look into. See
// neardup/tools/python_simhash.h.
#pragma once

#include <string_view>

#include "neardup/fingerprint.h"
#include "neardup/tools/python_simhash.h"
#include "text/tokens/token_buffer.h"

namespace neardup {

Fingerprint128 python_simhash_tokens(const TokenBuffer& tokens) noexcept;

// For tests.

/// The MD5 (RFC 1321) of any message as a number. Not for security.
Fingerprint128 md5_number(std::string_view message) noexcept;

/// The word character that a code point becomes, or 0 if none is left of it: str.lower() of Python 3, then what the regular expression
/// [\w\u4e00-\u9fcc]+ matches. \w of a Python str is a letter (category L), a code point with a numeric type (decimal, digit, numeric) or
/// U+005F; so marks are not. Properties are those of ICU's version of Unicode, see docs/simhash.md. Not for U+03A3, which depends on its
/// neighbours.
char32_t python_word_character(char32_t c) noexcept;

}  // namespace neardup
