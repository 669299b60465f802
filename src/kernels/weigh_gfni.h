// Weighted SimHash of eight features at a time, for processors with AVX-512 VBMI2 and GFNI: weigh_impl.h adds a weight 64 times, under a
// mask for each word; here the subset sums of four weights are a table of 16, and a transposed 8 x 8 bit matrix has, for each bit of the
// hashes, which of the eight features have it.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"
#include "kernels/simhash_impl.h"

namespace {

constexpr size_t kEight = 8;
constexpr size_t kFourBytes = 4 * neardup::kernels::kWeightedBytes;  // a vector

struct alignas(64) ByteOrder {
  uint8_t bytes[64];
};

// Byte j of the hash of feature f to byte 8 j + 7 - f: the transposition reverses the features.
constexpr ByteOrder kByteColumns = [] {
  ByteOrder order{};
  for (uint8_t byte = 0; byte < 8; ++byte) {
    for (uint8_t feature = 0; feature < 8; ++feature) order.bytes[8 * byte + 7 - feature] = static_cast<uint8_t>(8 * feature + byte);
  }
  return order;
}();

// Entry i: the sum of those weights of four features whose bit i has.
[[gnu::always_inline]] inline __m512i subset_sums(const char* features) {
  const auto weight = [features](size_t i) {
    int32_t value;
    __builtin_memcpy(&value, features + i * neardup::kernels::kWeightedBytes + sizeof(uint64_t), sizeof value);
    return _mm512_set1_epi32(value);
  };
  __m512i sums = _mm512_maskz_mov_epi32(0xAAAA, weight(0));
  sums = _mm512_mask_add_epi32(sums, 0xCCCC, sums, weight(1));
  sums = _mm512_mask_add_epi32(sums, 0xF0F0, sums, weight(2));
  return _mm512_mask_add_epi32(sums, 0xFF00, sums, weight(3));
}

// Adds to sums[i] the weights of the first features of `count` that have bit i, and returns how many these are, a multiple of eight. The
// magnitudes of all weights have a sum below 2^31.
template <bool kSecond>
size_t weigh_eights(const char* features, size_t count, int64_t* sums) {
  const __m512i columns = _mm512_load_si512(kByteColumns.bytes);
  const __m512i hashes_of_two = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
  const __m512i unit_bytes = _mm512_set1_epi64(static_cast<int64_t>(0x8040'2010'0804'0201));
  __m512i sum[4] = {};  // sum[v], lane i: of bit 4 i + v
  const size_t whole = count / kEight * kEight;
  for (size_t i = 0; i < whole; i += kEight, features += 2 * kFourBytes) {
    __m512i hashes = _mm512_permutex2var_epi64(_mm512_loadu_si512(features), hashes_of_two, _mm512_loadu_si512(features + kFourBytes));
    if constexpr (kSecond) hashes = reinterpret_cast<__m512i>(second_word(reinterpret_cast<SliceWords>(hashes)));
    // Byte b: which of the eight features have bit b.
    const __m512i having = _mm512_gf2p8affine_epi64_epi8(unit_bytes, _mm512_permutexvar_epi8(columns, hashes), 0);
    const __m512i first_four = subset_sums(features);
    const __m512i last_four = subset_sums(features + kFourBytes);
    // The lookup uses the lowest four bits of each lane only.
    const auto add = [&](size_t v, __m512i low, __m512i high) {
      sum[v] = _mm512_add_epi32(sum[v], _mm512_permutexvar_epi32(low, first_four));
      sum[v] = _mm512_add_epi32(sum[v], _mm512_permutexvar_epi32(high, last_four));
    };
    add(0, having, _mm512_srli_epi32(having, 4));
    add(1, _mm512_srli_epi32(having, 8), _mm512_srli_epi32(having, 12));
    add(2, _mm512_srli_epi32(having, 16), _mm512_srli_epi32(having, 20));
    add(3, _mm512_srli_epi32(having, 24), _mm512_srli_epi32(having, 28));
  }
  for (size_t v = 0; v < 4; ++v) {
    int32_t lanes[16];
    _mm512_storeu_si512(lanes, sum[v]);
    for (size_t i = 0; i < 16; ++i) sums[4 * i + v] += lanes[i];
  }
  return whole;
}

}  // namespace
