// Random texts for the laws of src/text: what normalizers and tokenizers get wrong, more often than chance would bring it.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "text/utf8/utf8.h"

namespace neardup::testing {

inline std::string utf8(const std::u32string& code_points) {
  std::string bytes;
  for (const char32_t c : code_points) append_utf8(c, bytes);
  return bytes;
}

inline std::vector<const kernels::Kernels*> all_kernels() {
  size_t count = 0;
  const kernels::Kernels* const* first = kernels::available(&count);
  return {first, first + count};
}

inline rc::Gen<std::string> code_point_in(char32_t first, char32_t last) {
  return rc::gen::map(rc::gen::inRange<uint32_t>(first, last + 1), [](uint32_t c) {
    const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
    return utf8({surrogate ? kReplacement : static_cast<char32_t>(c)});
  });
}

// Three-byte sequences that look well-formed and are not: overlong ones and surrogates, between two ideographs.
inline std::vector<std::string> false_three_byte_sequences() {
  std::vector<std::string> texts;
  for (int second = 0x80; second < 0xC0; ++second) {
    for (int third = 0x80; third < 0xC0; ++third) {
      const std::string rest = {static_cast<char>(second), static_cast<char>(third)};
      texts.push_back("\u4E2D" + ((second < 0xA0 ? "\xE0" : "\xED") + rest) + "\u6587");
    }
  }
  return texts;
}

// Code points that compose, expand, vanish, or whose image depends on what is around them.
inline rc::Gen<std::string> nasty_code_point() {
  static const std::u32string kNasty =
      U"\u0300\u0301\u0307\u0308\u0327\u0331\u0338\u0345\u05B0\u3099\u309A\u302A\u302E\uFF9E\uFF9F\u0E31\u0E33\u0F71\u0F72\u09BE\u09C7"
      U"aeiousAEHISW\u00C5\u0130\u0131\u00DF\u1E9E\u017F\u212A\u212B\u2126\u01C4\u01C5\uFB01\uFB06\u023A\u2C65\u1E96\u0149\u0390\u1FB3"
      U"\u03A3\u03C3\u03C2\u03F9\U0001D6BA\u0391\u03B1\u2019\u00B7"
      U"\u1100\u1161\u11A8\uAC00\uAC01\uD7A3\u3131\u3164\uFFA0\u115F\u1160\uFFA1\uFFC2"
      U"\u00A8\u00AF\u037A\uFDFA\uFDFB\u2026\u2460\u3300\u33C4\u337F\uFE49\uFE30\uFE0F\u200B\u200C\u200D\u00AD\u034F\uFEFF\u180E\u2060"
      U"\u3000\u00A0\u0085\u1680\u2028\u2003\u202F\u001C\u001F\u000B \n\t\r"
      U"\uFF76\uFF8A\u30AB\u304B\u30FC\uFF70\u3001\u3002\uFF0C\uFF21\uFF10\u4E00\u9FFF\u3400\u3007\uF900\uFA0E\uFACF\u2F00\u2E80"
      U"\U00020000\U0002F800\U0002FA1D\U00030000\U0001F600\U0001F1E6\U00010400\U000110BA\U00011099\U0001D15E\U000E0001\U0010FFFF\uFFFE";
  return rc::gen::map(rc::gen::inRange<size_t>(0, kNasty.size()), [](size_t i) { return utf8({kNasty[i]}); });
}

inline rc::Gen<std::string> bytes_of(const std::string& alphabet, int most) {
  const auto length = rc::gen::inRange(0, most);
  return rc::gen::mapcat(
      length, [alphabet](int n) { return rc::gen::container<std::string>(static_cast<size_t>(n), rc::gen::elementOf(alphabet)); });
}

// Most pieces are short, so that kinds of text meet often; ASCII runs are long enough to cross several kernel blocks.
inline rc::Gen<std::string> text_piece() {
  static const std::string kAscii = "abcxyzABCXYZ0189 .,;-_'@[`{/: \x7F";
  return rc::gen::weightedOneOf<std::string>({
      {10, nasty_code_point()},
      {2, bytes_of(kAscii, 200)},
      {2, bytes_of(kAscii, 8)},
      {1, bytes_of("word \n", 100)},
      {2, bytes_of(" \n\t\r\x1C", 4)},
      {1, bytes_of("\x80\xBF\xC2\xE4\xB8\xED\xA0\xF0\x9F\xF4\xFF\xC0 a", 5)},
      {2, code_point_in(0x4E00, 0x9FFF)},
      {1, code_point_in(0x80, 0x24FF)},
      {1, code_point_in(0x80, 0xFFFF)},
      {1, code_point_in(0x10000, 0x10FFFF)},
  });
}

inline rc::Gen<std::string> text() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(text_piece()), [](const std::vector<std::string>& pieces) {
    std::string joined;
    for (const std::string& piece : pieces) joined += piece;
    return joined;
  });
}

}  // namespace neardup::testing
