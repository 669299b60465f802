// What SHA-1 of 16 messages gains from AVX-512: three-operand logic, rotations, and blocks that are padded in registers.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "kernels/sha1_rounds.h"

namespace {

using Sha1Zmm = uint32_t __attribute__((vector_size(64)));

template <>
struct Sha1Word<Sha1Zmm> {
  template <uint32_t kShift>
  [[gnu::always_inline]] static Sha1Zmm rotate(Sha1Zmm x) {
    return (Sha1Zmm)_mm512_rol_epi32((__m512i)x, kShift);
  }
  // The third operand of the logic is its truth table.
  [[gnu::always_inline]] static Sha1Zmm choose(Sha1Zmm b, Sha1Zmm c, Sha1Zmm d) {
    return (Sha1Zmm)_mm512_ternarylogic_epi32((__m512i)b, (__m512i)c, (__m512i)d, 0xCA);
  }
  [[gnu::always_inline]] static Sha1Zmm majority(Sha1Zmm b, Sha1Zmm c, Sha1Zmm d) {
    return (Sha1Zmm)_mm512_ternarylogic_epi32((__m512i)b, (__m512i)c, (__m512i)d, 0xE8);
  }
  [[gnu::always_inline]] static Sha1Zmm parity(Sha1Zmm b, Sha1Zmm c, Sha1Zmm d) {
    return (Sha1Zmm)_mm512_ternarylogic_epi32((__m512i)b, (__m512i)c, (__m512i)d, 0x96);
  }
};

// The padded blocks of 16 messages: word i of message m at words[16 * i + m].
void sha1_pad_all(const char* const* messages, const uint8_t* sizes, uint32_t* words) {
  const __m512i swap = _mm512_broadcast_i32x4(_mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
  __m512i rows[16];
  for (size_t m = 0; m < 16; ++m) {
    // Masked bytes are not read, so nothing beyond the message is.
    const __mmask64 end = __mmask64{1} << sizes[m];
    const __m512i text = _mm512_maskz_loadu_epi8(end - 1, messages[m]);
    rows[m] = _mm512_shuffle_epi8(_mm512_mask_blend_epi8(end, text, _mm512_set1_epi8(static_cast<char>(0x80))), swap);
  }
  // A transposition of 16 x 16 words: within the four quarters of the registers, then of the quarters.
  __m512i quarters[16];
  for (size_t m = 0; m < 16; m += 4) {
    const __m512i a = _mm512_unpacklo_epi32(rows[m], rows[m + 1]);
    const __m512i b = _mm512_unpackhi_epi32(rows[m], rows[m + 1]);
    const __m512i c = _mm512_unpacklo_epi32(rows[m + 2], rows[m + 3]);
    const __m512i d = _mm512_unpackhi_epi32(rows[m + 2], rows[m + 3]);
    quarters[m] = _mm512_unpacklo_epi64(a, c);
    quarters[m + 1] = _mm512_unpackhi_epi64(a, c);
    quarters[m + 2] = _mm512_unpacklo_epi64(b, d);
    quarters[m + 3] = _mm512_unpackhi_epi64(b, d);
  }
  // Now quarter q of quarters[4 g + i] has word 4 q + i of the messages of group g.
  for (size_t i = 0; i < 4; ++i) {
    const __m512i low = _mm512_shuffle_i32x4(quarters[i], quarters[4 + i], 0x44);
    const __m512i high = _mm512_shuffle_i32x4(quarters[i], quarters[4 + i], 0xEE);
    const __m512i low2 = _mm512_shuffle_i32x4(quarters[8 + i], quarters[12 + i], 0x44);
    const __m512i high2 = _mm512_shuffle_i32x4(quarters[8 + i], quarters[12 + i], 0xEE);
    _mm512_storeu_si512(words + 16 * i, _mm512_shuffle_i32x4(low, low2, 0x88));
    _mm512_storeu_si512(words + 16 * (4 + i), _mm512_shuffle_i32x4(low, low2, 0xDD));
    _mm512_storeu_si512(words + 16 * (8 + i), _mm512_shuffle_i32x4(high, high2, 0x88));
    _mm512_storeu_si512(words + 16 * (12 + i), _mm512_shuffle_i32x4(high, high2, 0xDD));
  }
  const __m512i lengths = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(sizes)));
  _mm512_storeu_si512(words + size_t{16} * 15, _mm512_slli_epi32(lengths, 3));
}

}  // namespace
