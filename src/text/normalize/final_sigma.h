// The lower case of U+03A3, the one letter whose lower case depends on its neighbours (Final_Sigma, The Unicode Standard, section 3.13).
//
// Pure, total. Linear over all capital sigmas of a text: a search for a cased letter never passes the next capital sigma.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup {

inline constexpr char32_t kCapitalSigma = 0x3A3;
inline constexpr std::string_view kCapitalSigmaUtf8 = "\xCE\xA3";

/// U+03C2 if the sigma at `text[at]` ends a word, else U+03C3; both have two bytes, as U+03A3 has. Requires U+03A3 at `at`. Malformed UTF-8
/// counts as U+FFFD.
char32_t lower_sigma(std::string_view text, size_t at) noexcept;

}  // namespace neardup
