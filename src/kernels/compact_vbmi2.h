// lower_compact_v1, 64 bytes at a time, for processors with AVX-512 VBMI2 and the characters of most Chinese and English text.
//
// Taken are ASCII, U+00A1-00BF, U+2010-2027, U+3000-9FFF, U+B000-CFFF and U+F000-FFFF: their leading bytes alone tell that a sequence is
// well-formed, the only ones with an upper case are A-Z of ASCII and of full width, and the only white space is that of ASCII and U+3000.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"
#include "kernels/text_vbmi2.h"

namespace {

uint64_t equal(__m512i bytes, int byte) {
  return _mm512_cmpeq_epi8_mask(bytes, all(byte));
}

Folded lower_compact_impl(const char* in, size_t size, char* out) {
  size_t written = 0;
  for (size_t at = 0; at < size;) {
    const size_t left = size - at;
    const uint64_t there = low_bits(left);
    const __m512i bytes = _mm512_maskz_loadu_epi8(there, in + at);
    const __m512i second = _mm512_maskz_loadu_epi8(low_bits(left - 1), in + at + 1);
    const __m512i third = _mm512_maskz_loadu_epi8(left < 2 ? 0 : low_bits(left - 2), in + at + 2);

    const uint64_t ascii = ~_mm512_movepi8_mask(bytes);
    const uint64_t continued = between(bytes, 0x80, 0x40);
    const uint64_t full_width = equal(bytes, 0xEF);
    const uint64_t of_three = between(bytes, 0xE3, 7) | between(bytes, 0xEB, 2) | full_width |
                              (equal(bytes, 0xE2) & equal(second, 0x80) & between(third, 0x90, 0x18));
    const uint64_t of_two = equal(bytes, 0xC2) & between(second, 0xA1, 0x1F);
    const uint64_t leading = of_three | of_two;
    const uint64_t strange = ~there | ~(ascii | continued | leading) | (continued ^ (leading << 1 | of_three << 2));
    // Up to the first unsupported byte, or the end; without a sequence that is cut there.
    uint32_t live = strange == 0 ? kBlock : static_cast<uint32_t>(__builtin_ctzll(strange));
    const uint64_t cut = (leading | of_three << 1) & low_bits(live) & (live == 0 ? 0 : uint64_t{1} << (live - 1));
    if (cut != 0) live -= (leading & cut) != 0 ? 1 : 2;

    const uint64_t blank = equal(bytes, 0xE3) & equal(second, 0x80) & equal(third, 0x80);
    const uint64_t white = between(bytes, 9, 5) | between(bytes, 28, 5) | blank | blank << 1 | blank << 2;
    const uint64_t wide_upper = full_width & equal(second, 0xBC) & between(third, 0xA1, 26);  // becomes EF BD 81 and so on
    __m512i lower = _mm512_mask_add_epi8(bytes, between(bytes, 'A', 26), bytes, all(32));
    lower = _mm512_mask_add_epi8(lower, wide_upper << 1, lower, all(1));
    lower = _mm512_mask_sub_epi8(lower, wide_upper << 2, lower, all(32));
    const uint64_t keep = low_bits(live) & ~white;
    _mm512_storeu_si512(out + written, _mm512_maskz_compress_epi8(keep, lower));
    written += count_ones(keep);
    at += live;
    if (live + 2 < kBlock) return {at, written};
  }
  return {size, written};
}

}  // namespace
