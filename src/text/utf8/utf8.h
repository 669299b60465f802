// UTF-8, decoded defensively: a malformed sequence reads as U+FFFD, one per maximal subpart (Unicode 15, section 3.9, table 3-8;
// the same as the WHATWG encoding standard).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
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
/// Replaces `out` by the text with every malformed subpart as U+FFFD; returns their number.
uint64_t repair_utf8(std::string_view text, std::string& out);

// Inline decoding of what most text is made of, for hot loops.

/// True if at least 16 bytes follow and all are ASCII: worth a block of a kernel.
inline bool starts_long_ascii(std::string_view text, size_t at) noexcept {
  if (text.size() - at < 16) return false;
  uint64_t words[2];
  std::memcpy(words, text.data() + at, sizeof(words));
  return ((words[0] | words[1]) & 0x8080808080808080u) == 0;
}

/// Four bytes, the first one lowest: one load instruction where that is the machine's order.
inline uint32_t load_four(const char* bytes) noexcept {
  const auto at = [bytes](int i) { return static_cast<uint32_t>(static_cast<uint8_t>(bytes[i])); };
  return at(0) | at(1) << 8 | at(2) << 16 | at(3) << 24;
}

inline void store_four(uint32_t four, char* to) noexcept {
  const char bytes[4] = {static_cast<char>(four), static_cast<char>(four >> 8), static_cast<char>(four >> 16),
                         static_cast<char>(four >> 24)};
  std::memcpy(to, bytes, sizeof(bytes));
}

/// True if the first three of four bytes look like a three-byte sequence. Does not detect overlong ones (below 0x800) and surrogates.
inline bool looks_like_three(uint32_t four) noexcept {
  return (four & 0x00C0C0F0) == 0x008080E0;
}

inline char32_t value_of_three(uint32_t four) noexcept {
  return (four & 0x0F) << 12 | (four >> 2 & 0xFC0) | (four >> 16 & 0x3F);
}

/// decode_utf8, without a call for ASCII and for three bytes.
inline Decoded decode_quickly(std::string_view text, size_t at) noexcept {
  const auto first = static_cast<uint8_t>(text[at]);
  if (first < 0x80) return {first, 1, true};
  if (text.size() - at >= 4) {
    const uint32_t four = load_four(text.data() + at);
    const char32_t c = value_of_three(four);
    if (looks_like_three(four) && c >= 0x800 && c - 0xD800u > 0x7FFu) return {c, 3, true};
  }
  return decode_utf8(text, at);
}

}  // namespace neardup
