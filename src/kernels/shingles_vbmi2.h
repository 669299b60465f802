// XXH3-64 with seed 0 of eight short shingles at a time, for processors with AVX-512 VBMI: the two cases of the xxHash specification
// for 4 to 8 and for 9 to 16 bytes. The bytes of all eight lie in one register, and a byte permutation brings each to its lane.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"

namespace {

// The words of the specification's default secret that these cases use, exclusive-ored as it says: bytes 8 and 16; 24 and 32; 40 and 48.
constexpr uint64_t kFlip4To8 = 0xC73AB174C5ECD5A2u;
constexpr uint64_t kFlipLow = 0x6782737BEA4239B9u;
constexpr uint64_t kFlipHigh = 0xAF56BC3B0996523Au;
constexpr uint64_t kRrmxmxPrime = 0x9FB21C651E98DF25u;
constexpr uint64_t kAvalanchePrime = 0x165667919E3779F9u;

__m512i eight(uint64_t value) {
  return _mm512_set1_epi64(static_cast<long long>(value));
}

// In every lane, its lowest byte in all bytes.
__m512i spread(__m512i lanes) {
  const __m512i lowest = _mm512_set4_epi32(0x08080808, 0x08080808, 0, 0);
  return _mm512_shuffle_epi8(lanes, lowest);
}

__m512i xor_shift(__m512i lanes, unsigned bits) {
  return _mm512_xor_si512(lanes, _mm512_srli_epi64(lanes, bits));
}

// 64 x 64 to 128 bits, high half exclusive-ored with low half.
__m512i multiply_fold(__m512i a, __m512i b) {
  const __m512i low_half = eight(0xFFFFFFFFu);
  const __m512i a_high = _mm512_srli_epi64(a, 32);
  const __m512i b_high = _mm512_srli_epi64(b, 32);
  const __m512i low = _mm512_mul_epu32(a, b);
  const __m512i cross_1 = _mm512_mul_epu32(a_high, b);
  const __m512i cross_2 = _mm512_mul_epu32(a, b_high);
  const __m512i high = _mm512_mul_epu32(a_high, b_high);
  const __m512i middle = _mm512_add_epi64(_mm512_add_epi64(_mm512_srli_epi64(low, 32), _mm512_and_si512(cross_1, low_half)), cross_2);
  const __m512i upper = _mm512_add_epi64(_mm512_add_epi64(high, _mm512_srli_epi64(cross_1, 32)), _mm512_srli_epi64(middle, 32));
  const __m512i lower = _mm512_or_si512(_mm512_slli_epi64(middle, 32), _mm512_and_si512(low, low_half));
  return _mm512_xor_si512(upper, lower);
}

__m512i hash_4_to_8(__m512i bytes, __m512i offsets, __m512i lengths) {
  // The last four bytes below, the first four above.
  const __m512i index =
      _mm512_mask_blend_epi8(0xF0F0F0F0F0F0F0F0u, _mm512_add_epi8(spread(_mm512_add_epi64(offsets, lengths)), eight(0x00000000FFFEFDFCu)),
                             _mm512_add_epi8(spread(offsets), eight(0x0302010000000000u)));
  const __m512i keyed = _mm512_xor_si512(_mm512_permutexvar_epi8(index, bytes), eight(kFlip4To8));
  __m512i hash = _mm512_ternarylogic_epi64(keyed, _mm512_rol_epi64(keyed, 49), _mm512_rol_epi64(keyed, 24), 0x96);
  hash = _mm512_mullo_epi64(hash, eight(kRrmxmxPrime));
  hash = _mm512_xor_si512(hash, _mm512_add_epi64(_mm512_srli_epi64(hash, 35), lengths));
  return xor_shift(_mm512_mullo_epi64(hash, eight(kRrmxmxPrime)), 28);
}

__m512i avalanche(__m512i sum) {
  return xor_shift(_mm512_mullo_epi64(xor_shift(sum, 37), eight(kAvalanchePrime)), 32);
}

// Of the first and the last eight bytes; what is left is the avalanche.
__m512i sum_9_to_16(__m512i first, __m512i last, __m512i lengths) {
  const __m512i low = _mm512_xor_si512(first, eight(kFlipLow));
  const __m512i high = _mm512_xor_si512(last, eight(kFlipHigh));
  const __m512i reversed = _mm512_shuffle_epi8(low, _mm512_set4_epi32(0x08090A0B, 0x0C0D0E0F, 0x00010203, 0x04050607));
  return _mm512_add_epi64(_mm512_add_epi64(reversed, high), _mm512_add_epi64(lengths, multiply_fold(low, high)));
}

__m512i hash_9_to_16(__m512i bytes, __m512i offsets, __m512i lengths) {
  const __m512i first_index = _mm512_add_epi8(spread(offsets), eight(0x0706050403020100u));
  const __m512i last_index = _mm512_add_epi8(spread(_mm512_add_epi64(offsets, lengths)), eight(0xFFFEFDFCFBFAF9F8u));
  return avalanche(sum_9_to_16(_mm512_permutexvar_epi8(first_index, bytes), _mm512_permutexvar_epi8(last_index, bytes), lengths));
}

size_t hash_short_shingles_impl(const char* text, const uint32_t* starts, size_t shingles, uint32_t shingle_size, uint64_t* hashes) {
  constexpr size_t kGroup = neardup::kernels::kShingleGroup;
  size_t i = 0;
  for (; i + kGroup <= shingles; i += kGroup) {
    const uint32_t* const begin = starts + i;
    if (begin[kGroup - 1 + shingle_size] - begin[0] > 64) break;
    const __m256i begins = _mm256_loadu_si256(reinterpret_cast<const __m256i_u*>(begin));
    const __m256i ends = _mm256_loadu_si256(reinterpret_cast<const __m256i_u*>(begin + shingle_size));
    const __m512i offsets = _mm512_cvtepu32_epi64(_mm256_sub_epi32(begins, _mm256_set1_epi32(static_cast<int>(begin[0]))));
    const __m256i length = _mm256_sub_epi32(ends, begins);
    const __m512i lengths = _mm512_cvtepu32_epi64(length);
    const __m512i bytes = _mm512_loadu_si512(text + begin[0]);
    const __mmask8 long_ones = _mm256_cmplt_epu32_mask(_mm256_sub_epi32(length, _mm256_set1_epi32(9)), _mm256_set1_epi32(8));
    const __mmask8 short_ones = _mm256_cmplt_epu32_mask(_mm256_sub_epi32(length, _mm256_set1_epi32(4)), _mm256_set1_epi32(5));
    if ((long_ones | short_ones) != 0xFF) break;
    __m512i hash;
    if (short_ones == 0) {
      hash = hash_9_to_16(bytes, offsets, lengths);
    } else {
      hash = hash_4_to_8(bytes, offsets, lengths);
      if (long_ones != 0) hash = _mm512_mask_blend_epi64(long_ones, hash, hash_9_to_16(bytes, offsets, lengths));
    }
    _mm512_storeu_si512(hashes + i, hash);
  }
  return i;
}

}  // namespace
