// Clips texts to what a page can show, between characters.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup {

/// The longest beginning of at most `max_bytes` that does not cut a character.
inline std::string_view clip_utf8(std::string_view text, size_t max_bytes) noexcept {
  if (text.size() <= max_bytes) return text;
  size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

/// The longest end of at most `max_bytes` that does not cut a character.
inline std::string_view clip_utf8_front(std::string_view text, size_t max_bytes) noexcept {
  if (text.size() <= max_bytes) return text;
  size_t begin = text.size() - max_bytes;
  while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) ++begin;
  return text.substr(begin);
}

/// Number of characters: bytes that begin one.
inline size_t count_characters(std::string_view text) noexcept {
  size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

}  // namespace neardup
