// Hexadecimal digits of either case.
#pragma once

namespace neardup {

/// 0 to 15; -1 for any other character.
inline int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  const int letter = (c | 0x20) - 'a';
  return letter >= 0 && letter < 6 ? letter + 10 : -1;
}

}  // namespace neardup
