// The Unicode forms of Chinese text, 64 bytes at a time, for processors with AVX-512 VBMI2.
//
// Taken are ASCII, U+00B7, U+2012-2016, U+2018-2023, U+2026, U+3000-3029, U+3400-4DBF, U+4E00-9FFF and U+FF01-FF5E. Of these, U+2026
// becomes three dots, and full-width forms become ASCII; U+3000 is white space; letters of ASCII and of full width are lowered; and all
// others stay. Those from U+3000 on are CJK, white space aside. The tests compare this with the tables of the normalizer for every code
// point.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "kernels/form_masks.h"
#include "kernels/kernels.h"
#include "kernels/text_vbmi2.h"

namespace {

// What a three-byte sequence may be: one bit each. The tables below have, for the lower six bits of its first, second and third byte, what
// they allow; what it is, is what all three allow. Ideographs have two bits: with E3 the second byte must be 90-BF, with E4 anything but B7
// (U+4DC0-4DFF), and after E5-E9 one of the two is always set.
enum : uint8_t {
  kHighHan = 1,
  kOtherHan = 2,
  kCjkMark = 4,     // U+3001-3029
  kWideLow = 8,     // U+FF01-FF3F
  kWideHigh = 16,   // U+FF40-FF5E
  kDash = 32,       // dashes and quotes: U+2012-2016, U+2018-2023
  kEllipsis = 64,   // U+2026
  kWideBlank = 128  // U+3000
};
constexpr int kCjk = kHighHan | kOtherHan | kCjkMark | kWideLow | kWideHigh;

struct alignas(64) SixBitTable {
  uint8_t bytes[64];
};

constexpr SixBitTable first_byte_table() {
  SixBitTable table{};
  table.bytes[0xE2 & 63] = kDash | kEllipsis;
  table.bytes[0xE3 & 63] = kHighHan | kCjkMark | kWideBlank;
  table.bytes[0xE4 & 63] = kOtherHan;
  for (int byte = 0xE5; byte <= 0xE9; ++byte) table.bytes[byte & 63] = kHighHan | kOtherHan;
  table.bytes[0xEF & 63] = kWideLow | kWideHigh;
  return table;
}

constexpr SixBitTable second_byte_table() {
  SixBitTable table{};
  for (int byte = 0x80; byte <= 0xBF; ++byte) {
    table.bytes[byte & 63] = static_cast<uint8_t>((byte >= 0x90 ? kHighHan : 0) | (byte != 0xB7 ? kOtherHan : 0));
  }
  table.bytes[0x80 & 63] |= kCjkMark | kWideBlank | kDash | kEllipsis;
  table.bytes[0xBC & 63] |= kWideLow;
  table.bytes[0xBD & 63] |= kWideHigh;
  return table;
}

constexpr SixBitTable third_byte_table() {
  SixBitTable table{};
  for (int byte = 0x80; byte <= 0xBF; ++byte) {
    int allowed = kHighHan | kOtherHan;
    if (byte >= 0x81 && byte <= 0xA9) allowed |= kCjkMark;
    if (byte >= 0x81) allowed |= kWideLow;
    if (byte <= 0x9E) allowed |= kWideHigh;
    if ((byte >= 0x92 && byte <= 0x96) || (byte >= 0x98 && byte <= 0xA3)) allowed |= kDash;
    if (byte == 0xA6) allowed |= kEllipsis;
    if (byte == 0x80) allowed |= kWideBlank;
    table.bytes[byte & 63] = static_cast<uint8_t>(allowed);
  }
  return table;
}

// By the second byte of a full-width form: how much its third byte is above its ASCII character.
constexpr SixBitTable above_ascii_table() {
  SixBitTable table{};
  table.bytes[0xBC & 63] = 0x60;
  table.bytes[0xBD & 63] = 0x20;
  return table;
}

constexpr SixBitTable kAboveAscii = above_ascii_table();
constexpr SixBitTable kFirstByte = first_byte_table();
constexpr SixBitTable kSecondByte = second_byte_table();
constexpr SixBitTable kThirdByte = third_byte_table();

// The compiler would make every constant anew in each block, and move masks to and fro between two kinds of registers, in the chain of
// instructions that the next block waits for: these say that a value may have changed, so that it stays where it is.
[[gnu::always_inline]] inline __m512i held(__m512i bytes) {
  asm("" : "+v"(bytes));
  return bytes;
}
[[gnu::always_inline]] inline uint64_t word(uint64_t mask) {
  asm("" : "+r"(mask));
  return mask;
}

struct FormConstants {
  __m512i first = held(_mm512_load_si512(kFirstByte.bytes));
  __m512i second = held(_mm512_load_si512(kSecondByte.bytes));
  __m512i third = held(_mm512_load_si512(kThirdByte.bytes));
  __m512i above_ascii = held(_mm512_load_si512(kAboveAscii.bytes));
  __m512i leading = held(all(0xC0));
  __m512i middle_dot_first = held(all(0xC2));
  __m512i middle_dot_second = held(all(0xB7));
  __m512i any_kind = held(all(0xFF));
  __m512i blank_kind = held(all(kWideBlank));
  __m512i cjk_kind = held(all(kCjk));
  __m512i full_width_kind = held(all(kWideLow | kWideHigh));
  __m512i ellipsis_kind = held(all(kEllipsis));
  __m512i tab = held(all(9));
  __m512i separator = held(all(28));
  __m512i five = held(all(5));
  __m512i letter = held(all('A'));
  __m512i letters = held(all(26));
  __m512i blank = held(all(' '));  // also what is between capitals and small letters
  __m512i dot = held(all('.'));
};

// One block; `there` has the bits of bytes that are text. False: stopped.
[[gnu::always_inline]] inline bool form_block(const FormConstants& k, __m512i bytes, __m512i second, __m512i third, uint64_t there,
                                              FormState& state, char* out) {
  const __mmask64 leading = _mm512_cmpge_epu8_mask(bytes, k.leading);
  const __m512i allowed = _mm512_ternarylogic_epi64(_mm512_permutexvar_epi8(bytes, k.first), _mm512_permutexvar_epi8(second, k.second),
                                                    _mm512_permutexvar_epi8(third, k.third), 0x80);
  const auto is = [&](__m512i kind) { return word(_mm512_mask_test_epi8_mask(leading, allowed, kind)); };
  const auto within = [&](__m512i of, __m512i from, __m512i count) {
    return word(_mm512_cmplt_epu8_mask(_mm512_sub_epi8(of, from), count));
  };
  const FormMasks masks = {
      .leading = word(leading),
      .continued = word(_mm512_cmplt_epi8_mask(bytes, k.leading)),  // as signed numbers, 80-BF are the lowest
      .of_two = word(_mm512_mask_cmpeq_epi8_mask(_mm512_cmpeq_epi8_mask(bytes, k.middle_dot_first), second, k.middle_dot_second)),
      .of_three = is(k.any_kind),
      .cjk = is(k.cjk_kind),
      .full_width = is(k.full_width_kind),
      .wide_blank = is(k.blank_kind),
      .ascii_white = within(bytes, k.tab, k.five) | within(bytes, k.separator, k.five)};
  const FormPlan plan = plan_form(masks, there, state.after_cjk);
  if (plan.read == 0) return false;

  const uint64_t dots = is(k.ellipsis_kind);
  __m512i made = _mm512_mask_sub_epi8(bytes, masks.full_width, third, _mm512_permutexvar_epi8(second, k.above_ascii));
  made = _mm512_mask_mov_epi8(made, dots | dots << 1 | dots << 2, k.dot);
  made = _mm512_mask_add_epi8(made, within(made, k.letter, k.letters), made, k.blank);
  made = _mm512_mask_mov_epi8(made, plan.white, k.blank);
  _mm512_storeu_si512(out + state.written, _mm512_maskz_compress_epi8(plan.keep, made));
  state.read += plan.read;
  state.written += count_ones(plan.keep);
  return plan.goes_on && (masks.leading | masks.continued) != 0;  // fold_ascii is faster where all is ASCII
}

Folded fold_chinese_impl(const char* in, size_t size, char* out) {
  if (begins_white(in, size)) return {0, 0};
  const FormConstants constants;
  FormState state;
  bool goes_on = true;
  while (goes_on && size - state.read >= kBlock + 2) {
    const char* const from = in + state.read;
    goes_on = form_block(constants, _mm512_loadu_si512(from), _mm512_loadu_si512(from + 1), _mm512_loadu_si512(from + 2), ~uint64_t{0},
                         state, out);
  }
  while (goes_on && state.read < size) {
    const size_t left = size - state.read;
    const char* const from = in + state.read;
    goes_on = form_block(constants, _mm512_maskz_loadu_epi8(low_bits(left), from), _mm512_maskz_loadu_epi8(low_bits(left - 1), from + 1),
                         _mm512_maskz_loadu_epi8(left < 2 ? 0 : low_bits(left - 2), from + 2), low_bits(left), state, out);
  }
  return {state.read, state.written};
}

}  // namespace
