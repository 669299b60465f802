// UTF-8, decoded defensively: a malformed sequence reads as U+FFFD, one per maximal subpart (Unicode 15, section 3.9, table 3-8;
// the same as the WHATWG encoding standard).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

inline constexpr char32_t kReplacement = 0xFFFD;

struct Decoded {
  char32_t code_point;
  uint32_t length;  ///< bytes used, at least 1
  bool valid;
};

/// Decodes the code point at `text[at]`. Requires at < text.size().
Decoded decode_utf8(std::string_view text, size_t at) noexcept;
/// Appends a code point below 0x110000 that is not a surrogate.
void append_utf8(char32_t code_point, std::string& out);
/// True if the bytes are well-formed UTF-8.
bool is_valid_utf8(std::string_view text) noexcept;
/// Replaces `out` by the text with every malformed subpart as U+FFFD; returns how many there were.
uint64_t repair_utf8(std::string_view text, std::string& out);

}  // namespace neardup
