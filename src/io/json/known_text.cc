#include "io/json/known_text.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "io/json/json_scan.h"

namespace neardup {
namespace {

using json_detail::skip_white;

constexpr size_t kBlock = 32;

// What the byte after a backslash stands for; 0 if the quick way does not know it.
constexpr std::array<char, 256> kEscapes = [] {
  std::array<char, 256> values{};
  constexpr std::string_view kNames = "nrtbf\"\\/";
  constexpr std::string_view kValues = "\n\r\t\b\f\"\\/";
  for (size_t i = 0; i < kNames.size(); ++i) values[static_cast<uint8_t>(kNames[i])] = kValues[i];
  return values;
}();

// Bit i: byte i of the block is a quote or a backslash.
uint32_t marks_of(const char* at) noexcept {
#ifdef __SSE2__
  const auto marks = [at](size_t half) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i_u*>(at + half * 16));
    const __m128i found = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    return static_cast<uint32_t>(_mm_movemask_epi8(found));
  };
  return marks(0) | marks(1) << 16;
#else
  uint32_t marks = 0;
  for (uint32_t i = 0; i < kBlock; ++i) marks |= static_cast<uint32_t>(at[i] == '"' || at[i] == '\\') << i;
  return marks;
#endif
}

// The first quote or backslash at or after `at`, or the end.
size_t find_mark(std::string_view line, size_t at) noexcept {
  for (; at + kBlock <= line.size(); at += kBlock) {
    if (const uint32_t marks = marks_of(line.data() + at); marks != 0) return at + static_cast<size_t>(std::countr_zero(marks));
  }
  while (at < line.size() && line[at] != '"' && line[at] != '\\') ++at;
  return at;
}

// After the closing quote of the string whose first byte is at `at`, or npos.
size_t skip_known_string(std::string_view line, size_t at) noexcept {
  for (;;) {
    at = find_mark(line, at);
    if (at >= line.size()) return std::string_view::npos;
    if (line[at] == '"') return at + 1;
    at += 2;
  }
}

// Unescapes the string whose first byte is at `at`.
bool unescape_known(std::string_view line, size_t at, std::string& storage, std::string_view& text) {
  size_t mark = find_mark(line, at);
  if (mark < line.size() && line[mark] == '"') {  // no escape: the text as it is
    text = line.substr(at, mark - at);
    return true;
  }
  // What is left of the line is room enough. Runs are copied block by block: too much is overwritten by what follows.
  if (storage.size() < line.size() - at + kBlock) storage.resize(line.size() - at + kBlock);
  char* out = storage.data();
  for (;;) {
    // A branch, which is predicted: where the next block begins must not wait for the marks of this one.
    for (; at + kBlock <= line.size(); at += kBlock, out += kBlock) {
      std::memcpy(out, line.data() + at, kBlock);
      if (const uint32_t marks = marks_of(line.data() + at); marks != 0) {
        at += static_cast<size_t>(std::countr_zero(marks));
        out += std::countr_zero(marks);
        break;
      }
    }
    for (; at < line.size() && line[at] != '"' && line[at] != '\\'; ++at) *out++ = line[at];
    if (at >= line.size()) return false;
    if (line[at] == '"') break;
    const char value = at + 1 < line.size() ? kEscapes[static_cast<uint8_t>(line[at + 1])] : '\0';
    if (value == '\0') return false;  // \u, among others
    *out++ = value;
    at += 2;
  }
  text = std::string_view(storage).substr(0, static_cast<size_t>(out - storage.data()));
  return true;
}

}  // namespace

bool find_known_text(std::string_view line, std::string_view field, std::string& storage, std::string_view& text) {
  constexpr size_t kNone = std::string_view::npos;
  size_t at = skip_white(line, 0);
  if (at >= line.size() || line[at] != '{') return false;
  for (;;) {
    at = skip_white(line, at + 1);
    if (at >= line.size() || line[at] != '"') return false;
    const size_t end = skip_known_string(line, at + 1);
    if (end == kNone) return false;
    const std::string_view name = line.substr(at + 1, end - at - 2);
    if (name.find('\\') != kNone) return false;
    at = skip_white(line, end);
    if (at >= line.size() || line[at] != ':') return false;
    at = skip_white(line, at + 1);
    if (at >= line.size()) return false;
    const bool string = line[at] == '"';
    if (name == field) return string && unescape_known(line, at + 1, storage, text);
    if (line[at] == '[' || line[at] == '{') return false;
    at = string ? skip_known_string(line, at + 1) : line.find_first_of(",} \t\r\n", at);
    if (at == kNone) return false;
    at = skip_white(line, at);
    if (at >= line.size() || line[at] != ',') return false;
  }
}

}  // namespace neardup
