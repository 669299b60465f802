// Small things that the two halves of the careful JSON reader share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace neardup::json_detail {

inline constexpr std::string_view kWhite = " \t\n\r";

inline size_t skip_white(std::string_view text, size_t at) noexcept {
  const size_t found = text.find_first_not_of(kWhite, at);
  return found == std::string_view::npos ? text.size() : found;
}

inline int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The four hexadecimal digits at `at`, or -1.
inline int32_t hex4(std::string_view text, size_t at) noexcept {
  if (text.size() < at + 4) return -1;
  int32_t value = 0;
  for (size_t i = at; i < at + 4; ++i) {
    const int digit = hex_value(text[i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

}  // namespace neardup::json_detail
