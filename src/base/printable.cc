#include "neardup/tools/printable.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace neardup {
namespace {

struct Character {
  uint32_t code = 0;
  size_t bytes = 0;  // 0: the next byte is not UTF-8
};

// The length of a character by its first byte; 0 if no character begins with it.
size_t length_of(unsigned char first) noexcept {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

// Requires nonempty text. Overlong forms, surrogates and values above U+10FFFF are not UTF-8.
Character first_character(std::string_view text) noexcept {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const size_t length = length_of(byte(0));
  if (length == 1) return {.code = byte(0), .bytes = 1};
  if (length == 0 || text.size() < length) return {};
  uint32_t code = byte(0) & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr uint32_t kMinCode[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kMinCode[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {.code = code, .bytes = length};
}

bool is_harmful(uint32_t code) noexcept {
  if (code < 0x20 || (code >= 0x7F && code <= 0x9F)) return true;
  if (code == 0x061C || code == 0x200E || code == 0x200F) return true;  // marks of direction
  if (code >= 0x2028 && code <= 0x202E) return true;                    // separators, embeddings and overrides
  return code >= 0x2066 && code <= 0x2069;                              // isolates
}

void append_escape(const char* format, uint32_t value, std::string& out) {
  char text[16];
  const int length = std::snprintf(text, sizeof text, format, static_cast<unsigned>(value));
  out.append(text, static_cast<size_t>(length));
}

void append_harmful(uint32_t code, Escapes escapes, std::string& out) {
  if (escapes == Escapes::kJson || code > 0x7F) return append_escape("\\u%04x", code, out);
  if (code == '\n') {
    out += "\\n";
  } else if (code == '\r') {
    out += "\\r";
  } else if (code == '\t') {
    out += "\\t";
  } else {
    append_escape("\\x%02x", code, out);
  }
}

}  // namespace

std::string printable(std::string_view text, Escapes escapes) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    if (character.bytes == 0) {
      append_escape(escapes == Escapes::kJson ? "\\\\x%02x" : "\\x%02x", static_cast<unsigned char>(text[0]), out);
      text.remove_prefix(1);
      continue;
    }
    const bool layout = character.code == '\n' || character.code == '\t';
    if (is_harmful(character.code) && !(layout && escapes != Escapes::kLine)) {
      append_harmful(character.code, escapes, out);
    } else {
      out += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return out;
}

size_t unfinished_character(std::string_view text) noexcept {
  for (size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;
    return length_of(byte) > back ? back : 0;
  }
  return 0;
}

}  // namespace neardup
