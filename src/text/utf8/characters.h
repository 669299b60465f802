// Characters of UTF-8 by the bytes that begin them: counting them, and clipping a text between them. Of malformed text each byte that does
// not continue a character begins one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace neardup {

inline bool continues_character(char byte) noexcept {
  return (static_cast<uint8_t>(byte) & 0xC0u) == 0x80u;
}

/// Number of bytes that begin a character.
inline uint64_t count_character_begins(std::string_view text) noexcept {
  return text.size() - static_cast<uint64_t>(std::ranges::count_if(text, continues_character));
}

/// The longest beginning of at most `max_bytes` that does not cut a character.
inline std::string_view clip_utf8(std::string_view text, size_t max_bytes) noexcept {
  if (text.size() <= max_bytes) return text;
  size_t end = max_bytes;
  while (end > 0 && continues_character(text[end])) --end;
  return text.substr(0, end);
}

/// The longest end of at most `max_bytes` that does not cut a character.
inline std::string_view clip_utf8_front(std::string_view text, size_t max_bytes) noexcept {
  if (text.size() <= max_bytes) return text;
  size_t begin = text.size() - max_bytes;
  while (begin < text.size() && continues_character(text[begin])) ++begin;
  return text.substr(begin);
}

}  // namespace neardup
