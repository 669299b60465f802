// XXH3-64 with seed 0 of eight messages of equal length at a time, for processors with AVX-512: the case of the xxHash specification for
// 17 to 32 bytes (17 to 128 there).
#pragma once

#include "kernels/word_shingles_vbmi2.h"

namespace {

size_t hash_rows_impl(const uint32_t* words, size_t rows, uint32_t row_words, uint64_t* hashes) {
  constexpr size_t kGroup = 8;
  const size_t bytes = row_words * sizeof(uint32_t);
  if (bytes <= 16 || bytes > 32) return 0;
  const __m256i begins = _mm256_mullo_epi32(_mm256_set1_epi32(static_cast<int>(bytes)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  const __m512i length = eight(bytes * kLengthPrime);
  size_t row = 0;
  for (; row + kGroup <= rows; row += kGroup) {
    const char* const first = reinterpret_cast<const char*>(words + row * row_words);
    const auto word_at = [&](size_t offset) { return _mm512_i32gather_epi64(begins, first + offset, 1); };
    __m512i sum = _mm512_add_epi64(length, mix_16(word_at(0), word_at(8), 0));
    sum = _mm512_add_epi64(sum, mix_16(word_at(bytes - 16), word_at(bytes - 8), 2));
    _mm512_storeu_si512(hashes + row, avalanche(sum));
  }
  return row;
}

}  // namespace
