// Case and digits of ASCII, for the names of fields, files, formats and headers. Not for texts of documents.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace neardup {

inline constexpr char ascii_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

inline std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) { return ascii_lower(c); });
  return lower;
}

inline constexpr bool is_ascii_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

}  // namespace neardup
