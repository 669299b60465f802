// XXH3-64 with seed 0 of eight shingles of words at a time, for processors with AVX-512 VBMI: the cases of the xxHash specification for 9
// to 16, 17 to 32 and 33 to 64 bytes (17 to 128 there). The bytes of all eight lie in two registers, and a permutation of the bytes of both
// brings each word to its lane.
#pragma once

#include "kernels/shingles_vbmi2.h"

namespace {

// Words of the specification's default secret, from its byte 0 on.
constexpr uint64_t kSecretWords[8] = {0xBE4BA423396CFEB8u, 0x1CAD21F72C81017Cu, 0xDB979083E96DD4DEu, 0x1F67B3B7A4A44072u,
                                      0x78E5C0CC4EE679CBu, 0x2172FFCC7DD05A82u, 0x8E2443F7744608B8u, 0x4C263A81E69035E0u};
constexpr uint64_t kLengthPrime = 0x9E3779B185EBCA87u;
constexpr uint64_t kFromStart = 0x0706050403020100u;
constexpr uint64_t kBeforeEnd = 0xFFFEFDFCFBFAF9F8u;  // the eight bytes before an offset
constexpr uint64_t kEightOn = 0x0808080808080808u;

struct TwoRegisters {
  __m512i first;
  __m512i second;
  // In every lane, the eight bytes that its index names, modulo 128.
  [[nodiscard]] __m512i at(__m512i index) const { return _mm512_permutex2var_epi8(first, index, second); }
};

// The specification's mix of 16 bytes, a word each of the secret.
__m512i mix_16(__m512i low, __m512i high, size_t secret_word) {
  return multiply_fold(_mm512_xor_si512(low, eight(kSecretWords[secret_word])),
                       _mm512_xor_si512(high, eight(kSecretWords[secret_word + 1])));
}

size_t hash_word_shingles_impl(const char* text, const uint32_t* starts, size_t shingles, uint32_t shingle_size, uint32_t separator,
                               uint64_t* hashes) {
  constexpr size_t kGroup = neardup::kernels::kShingleGroup;
  const __m256i cut = _mm256_set1_epi32(static_cast<int>(separator));
  size_t i = 0;
  for (; i + kGroup <= shingles; i += kGroup) {
    const uint32_t* const begin = starts + i;
    if (begin[kGroup - 1 + shingle_size] - separator - begin[0] > 128) break;
    const __m256i begins = _mm256_loadu_si256(reinterpret_cast<const __m256i_u*>(begin));
    const __m256i ends = _mm256_sub_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i_u*>(begin + shingle_size)), cut);
    const __m256i length = _mm256_sub_epi32(ends, begins);
    // Of 9 to 64 bytes, all eight.
    if (_mm256_cmpge_epu32_mask(_mm256_sub_epi32(length, _mm256_set1_epi32(9)), _mm256_set1_epi32(56)) != 0) break;
    const __mmask8 short_ones = _mm256_cmple_epu32_mask(length, _mm256_set1_epi32(16));
    const __mmask8 long_ones = _mm256_cmpgt_epu32_mask(length, _mm256_set1_epi32(32));
    const __m512i offsets = spread(_mm512_cvtepu32_epi64(_mm256_sub_epi32(begins, _mm256_set1_epi32(static_cast<int>(begin[0])))));
    const __m512i lengths = _mm512_cvtepu32_epi64(length);
    const TwoRegisters bytes{_mm512_loadu_si512(text + begin[0]), _mm512_loadu_si512(text + begin[0] + 64)};
    const __m512i forward = _mm512_add_epi8(offsets, eight(kFromStart));
    const __m512i backward = _mm512_add_epi8(_mm512_add_epi8(offsets, spread(lengths)), eight(kBeforeEnd));
    const __m512i first = bytes.at(forward);
    const __m512i last = bytes.at(backward);

    __m512i sum = _mm512_mullo_epi64(lengths, eight(kLengthPrime));
    sum = _mm512_add_epi64(sum, mix_16(first, bytes.at(_mm512_add_epi8(forward, eight(kEightOn))), 0));
    sum = _mm512_add_epi64(sum, mix_16(bytes.at(_mm512_sub_epi8(backward, eight(kEightOn))), last, 2));
    if (long_ones != 0) {
      const __m512i after_first = _mm512_add_epi8(forward, eight(2 * kEightOn));
      const __m512i before_last = _mm512_sub_epi8(backward, eight(2 * kEightOn));
      const __m512i inner = _mm512_add_epi64(mix_16(bytes.at(after_first), bytes.at(_mm512_add_epi8(after_first, eight(kEightOn))), 4),
                                             mix_16(bytes.at(_mm512_sub_epi8(before_last, eight(kEightOn))), bytes.at(before_last), 6));
      sum = _mm512_mask_add_epi64(sum, long_ones, sum, inner);
    }
    if (short_ones != 0) sum = _mm512_mask_mov_epi64(sum, short_ones, sum_9_to_16(first, last, lengths));
    _mm512_storeu_si512(hashes + i, avalanche(sum));
  }
  return i;
}

}  // namespace
