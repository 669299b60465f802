// What the loops for Chinese (form_vbmi2.h, form_avx2.h) have in common: masks of a 64-byte block in, bytes to keep out. Bit i is byte i.
#pragma once

#include <cstddef>
#include <cstdint>

namespace {

struct FormMasks {
  uint64_t leading;      // bytes C0-FF
  uint64_t continued;    // bytes 80-BF
  uint64_t of_two;       // first bytes of known code points, provided that as many bytes 80-BF follow as they need
  uint64_t of_three;     // and the following ones are among these
  uint64_t cjk;          // white space aside
  uint64_t full_width;   // becomes one byte, in the place of the first
  uint64_t wide_blank;   // U+3000
  uint64_t ascii_white;  // bytes 9-13 and 28-32
};

struct FormPlan {
  uint32_t read;   // 0: nothing
  uint64_t keep;   // of the bytes that are read
  uint64_t white;  // bytes of white space: blanks where they are kept
  bool goes_on;    // false: something that is not known follows; else the block may just be cut
};

// What has been read and written, and what the next block must know.
struct FormState {
  size_t read = 0;
  size_t written = 0;
  uint64_t after_cjk = 0;  // 1: the last character read is CJK
};

// `there` has the bits of the bytes that are text. White space at the end of the block is left to the next one, which sees what follows it.
// Updates after_cjk. Inlined, so that everything stays in registers.
[[gnu::always_inline]] inline FormPlan plan_form(const FormMasks& masks, uint64_t there, uint64_t& after_cjk) {
  const uint64_t of_three = masks.of_three & masks.continued >> 1 & masks.continued >> 2;  // none that the end of the block cuts
  const uint64_t complete = (masks.of_two & masks.continued >> 1) | of_three;
  const uint64_t strange = (masks.leading & ~complete) | (masks.continued ^ (complete << 1 | of_three << 2)) | ~there;
  const uint64_t white = masks.ascii_white | masks.wide_blank | masks.wide_blank << 1 | masks.wide_blank << 2;
  const uint64_t black = ~white & ~strange & (strange - 1);
  if (black == 0) return {0, 0, 0, false};
  const auto after = static_cast<uint32_t>(__builtin_clzll(black));

  // Of a run of white space the last byte is kept, as a blank, unless it lies between two CJK characters: the addition carries a bit at the
  // beginning of a run to the place after it.
  const uint64_t behind_runs = ((white & (masks.cjk << 3 | after_cjk)) + white) & ~white;
  const uint64_t blanks = white & ~(white >> 1) & ~((behind_runs & masks.cjk) >> 1);
  const uint64_t dropped = (white & ~blanks) | masks.full_width << 1 | masks.full_width << 2;
  after_cjk = (masks.cjk << 2) << after >> 63;
  constexpr uint64_t kNotAtTheEnd = ~uint64_t{0} >> 2;  // a character of three bytes may be cut there
  return {64 - after, ~uint64_t{0} >> after & ~dropped, white, (strange & kNotAtTheEnd) == 0};
}

// The loop stops before white space that the text begins with.
inline bool begins_white(const char* in, size_t size) {
  const auto is = [&](size_t at, int byte) { return at < size && in[at] == static_cast<char>(byte); };
  if (is(0, 0xE3)) return is(1, 0x80) && is(2, 0x80);
  return size > 0 && ((in[0] >= 9 && in[0] <= 13) || (in[0] >= 28 && in[0] <= 32));
}

}  // namespace
