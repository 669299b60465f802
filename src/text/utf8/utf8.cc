#include "text/utf8/utf8.h"

#include <cstring>

namespace neardup {
namespace {

constexpr uint64_t kHighBits = 0x8080808080808080u;

uint8_t byte_at(std::string_view text, size_t at) noexcept {
  return static_cast<uint8_t>(text[at]);
}

bool is_continuation(uint8_t byte) noexcept {
  return (byte & 0xC0) == 0x80;
}

// The requirements of a lead byte: how many bytes follow, and the range of the first of them (table 3-7 of the standard).
struct Lead {
  uint32_t more;  // 0: not a lead byte
  uint8_t low;
  uint8_t high;
};

Lead lead_of(uint8_t byte) noexcept {
  if (byte < 0xC2 || byte > 0xF4) return {0, 0, 0};
  if (byte < 0xE0) return {1, 0x80, 0xBF};
  if (byte < 0xF0) return {2, static_cast<uint8_t>(byte == 0xE0 ? 0xA0 : 0x80), static_cast<uint8_t>(byte == 0xED ? 0x9F : 0xBF)};
  return {3, static_cast<uint8_t>(byte == 0xF0 ? 0x90 : 0x80), static_cast<uint8_t>(byte == 0xF4 ? 0x8F : 0xBF)};
}

// The end of the well-formed text that begins at `at`.
size_t end_of_valid(std::string_view text, size_t at) noexcept {
  while (at < text.size()) {
    if (text.size() - at >= 8) {
      uint64_t word;
      std::memcpy(&word, text.data() + at, 8);
      if ((word & kHighBits) == 0) {
        at += 8;
        continue;
      }
    }
    const uint8_t byte = byte_at(text, at);
    if (byte < 0x80) {
      ++at;
    } else if (byte > 0xE0 && byte < 0xED && text.size() - at >= 3) {  // the common three-byte sequences, without the range table
      if (!is_continuation(byte_at(text, at + 1)) || !is_continuation(byte_at(text, at + 2))) return at;
      at += 3;
    } else {
      const Decoded decoded = decode_utf8(text, at);
      if (!decoded.valid) return at;
      at += decoded.length;
    }
  }
  return at;
}

}  // namespace

Decoded decode_utf8(std::string_view text, size_t at) noexcept {
  const uint8_t first = byte_at(text, at);
  if (first < 0x80) return {first, 1, true};
  const Lead lead = lead_of(first);
  if (lead.more == 0) return {kReplacement, 1, false};
  char32_t code_point = first & (0x3Fu >> lead.more);
  for (uint32_t i = 1; i <= lead.more; ++i) {
    if (at + i >= text.size()) return {kReplacement, i, false};
    const uint8_t byte = byte_at(text, at + i);
    const bool fits = i == 1 ? byte >= lead.low && byte <= lead.high : is_continuation(byte);
    if (!fits) return {kReplacement, i, false};
    code_point = code_point << 6 | (byte & 0x3Fu);
  }
  return {code_point, lead.more + 1, true};
}

void append_utf8(char32_t code_point, std::string& out) {
  const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3F));
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
}

bool is_valid_utf8(std::string_view text) noexcept {
  return end_of_valid(text, 0) == text.size();
}

uint64_t repair_utf8(std::string_view text, std::string& out) {
  out.clear();
  out.reserve(text.size());
  uint64_t repaired = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = end_of_valid(text, at);
    out.append(text, at, end - at);
    at = end;
    if (at == text.size()) break;
    append_utf8(kReplacement, out);
    at += decode_utf8(text, at).length;
    ++repaired;
  }
  return repaired;
}

}  // namespace neardup
