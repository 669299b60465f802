// Reading UTF-8 into the codes of jieba's characters, 64 bytes at a time: where the characters begin is a mask, and its set bits, turned
// into positions by a compress, pick the bytes of 16 characters at once.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"
#include "kernels/text_vbmi2.h"

namespace {

using neardup::kernels::JiebaRead;

// Which bytes of the block begin characters that are whole, well-formed, and of one, two or three bytes, up to the first one that is
// not; `end` is after the last of them. "\r\n" is one character.
struct Starts {
  uint64_t mask;
  size_t end;
};

Starts find_starts(__m512i bytes, size_t size) {
  const uint64_t there = low_bits(size);
  const uint64_t high = _mm512_movepi8_mask(bytes);
  const uint64_t inner = there & high & _mm512_cmplt_epu8_mask(bytes, all(0xC0));
  const uint64_t two = there & between(bytes, 0xC2, 0xE0 - 0xC2);
  const uint64_t three = there & between(bytes, 0xE0, 0xF0 - 0xE0);
  // The second byte tells overlong sequences and surrogates.
  const uint64_t from_a0 = _mm512_cmpge_epu8_mask(bytes, all(0xA0)) >> 1;
  const uint64_t refused = (_mm512_cmpeq_epi8_mask(bytes, all(0xE0)) & ~from_a0) | (_mm512_cmpeq_epi8_mask(bytes, all(0xED)) & from_a0);
  const uint64_t unfit = there & ((high & ~inner & ~two & ~three) | refused);
  const uint64_t mismatch = inner ^ (two << 1 | three << 1 | three << 2);
  uint64_t starts = there & ~inner;
  // A character that continues after the block is for the next one.
  size_t end = size;
  if (size == 64 && starts >> 62 != 0) end = 62 + static_cast<size_t>(__builtin_ctzll(starts >> 62));
  if ((unfit | mismatch) != 0) {
    // A character with too few or too many inner bytes begins before it.
    const uint64_t before = mismatch == 0 ? 0 : starts & ((mismatch & (0 - mismatch)) - 1);
    if (mismatch != 0) end = before == 0 ? 0 : 63 - static_cast<size_t>(__builtin_clzll(before));
    if (unfit != 0 && static_cast<size_t>(__builtin_ctzll(unfit)) < end) end = static_cast<size_t>(__builtin_ctzll(unfit));
  }
  const uint64_t returns = _mm512_cmpeq_epi8_mask(bytes, all('\r'));
  if (end > 0 && (returns >> (end - 1) & 1) != 0) --end;
  starts &= ~(_mm512_cmpeq_epi8_mask(bytes, all('\n')) & returns << 1);
  return {starts & low_bits(end), end};
}

JiebaRead jieba_read_impl(const char* text, size_t size, uint32_t offset, const uint16_t* code_of, size_t max_characters, uint16_t* codes,
                          uint32_t* offsets) {
  const __m512i iota = _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39,
                                       38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14,
                                       13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const auto set = [](uint32_t value) { return _mm512_set1_epi32(static_cast<int>(value)); };
  size_t at = 0;
  size_t count = 0;
  while (at < size && count < max_characters) {
    const size_t left = size - at < 64 ? size - at : 64;
    const __m512i bytes = _mm512_maskz_loadu_epi8(low_bits(left), text + at);
    const Starts starts = find_starts(bytes, left);
    if (starts.end == 0) break;
    const size_t here = count_ones(starts.mask);
    const __m512i places = _mm512_maskz_compress_epi8(starts.mask, iota);
    const __m512i first = set(offset + static_cast<uint32_t>(at));
    const auto sixteen = [&](__m128i positions, size_t to) {
      const __m512i position = _mm512_cvtepu8_epi32(positions);
      const __m512i four = _mm512_permutexvar_epi8(_mm512_add_epi32(_mm512_mullo_epi32(position, set(0x01010101)), set(0x03020100)), bytes);
      const __m512i wide = _mm512_or_si512(_mm512_or_si512(_mm512_slli_epi32(_mm512_and_si512(four, set(0x0F)), 12),
                                                           _mm512_and_si512(_mm512_srli_epi32(four, 2), set(0xFC0))),
                                           _mm512_and_si512(_mm512_srli_epi32(four, 16), set(0x3F)));
      // No character of two bytes has a code; neither has U+0000.
      const __m512i narrow = _mm512_maskz_and_epi32(_mm512_testn_epi32_mask(four, set(0x80)), four, set(0x7F));
      const __mmask16 three = _mm512_cmpeq_epi32_mask(_mm512_and_si512(four, set(0xF0)), set(0xE0));
      const __m512i found =
          _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xFFFF, _mm512_mask_mov_epi32(narrow, three, wide), code_of, 2);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes + to), _mm512_cvtepi32_epi16(found));
      _mm512_storeu_si512(offsets + to, _mm512_add_epi32(position, first));
    };
    sixteen(_mm512_castsi512_si128(places), count);
    if (here > 16) sixteen(_mm512_extracti32x4_epi32(places, 1), count + 16);
    if (here > 32) {
      sixteen(_mm512_extracti32x4_epi32(places, 2), count + 32);
      sixteen(_mm512_extracti32x4_epi32(places, 3), count + 48);
    }
    count += here;
    at += starts.end;
  }
  return {at, count};
}

}  // namespace
