// Keys from the packed remainders of buckets, for processors with AVX-512 VBMI: empty buckets are skipped, sixteen at a time, and a byte
// permutation brings eight codes to their lanes. See kernels.h.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"
#include "kernels/packed_vbmi2.h"

namespace {

// Calls unpack(bucket) for nonempty buckets.
template <typename Unpack>
[[gnu::always_inline]] inline void each_full_bucket(const neardup::kernels::KeyBuckets& buckets, const Unpack& unpack) {
  constexpr size_t kAtOnce = 16;
  constexpr size_t kBucketBlock = 16 * kAtOnce;
  uint32_t full[kBucketBlock + kAtOnce];
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  for (size_t block = 0; block < buckets.buckets; block += kBucketBlock) {
    size_t count = 0;
    for (size_t at = block; at < block + kBucketBlock && at < buckets.buckets; at += kAtOnce) {
      const size_t left = buckets.buckets - at;
      const auto there = static_cast<__mmask16>(left < kAtOnce ? (1u << left) - 1 : 0xFFFFu);
      const __m512i starts = _mm512_maskz_loadu_epi32(there, buckets.starts + at);
      const __m512i ends = _mm512_maskz_loadu_epi32(there, buckets.starts + at + 1);
      const __mmask16 some = _mm512_cmpgt_epu32_mask(_mm512_xor_si512(starts, ends), _mm512_set1_epi32(1));  // the lowest bits are flags
      const __m512i numbers = _mm512_add_epi32(lanes, _mm512_set1_epi32(static_cast<int>(at)));
      _mm512_storeu_si512(full + count, _mm512_maskz_compress_epi32(some, numbers));
      count += static_cast<size_t>(__builtin_popcount(some));
    }
    for (size_t i = 0; i < count; ++i) unpack(full[i]);
  }
}

// The lanes after a bucket are overwritten by the next one.
void unpack_narrow(const char* packed, uint32_t stride, const neardup::kernels::KeyBuckets& buckets, uint64_t first, uint32_t width,
                   uint64_t* low) {
  const __m512i place = _mm512_load_si512(kSpread.place[stride]);
  const __mmask64 bytes = ((uint64_t{1} << (stride % 8)) - 1) * 0x0101010101010101u | (stride == 8 ? ~uint64_t{0} : 0);
  const uint32_t from = buckets.starts[0] / 2;
  each_full_bucket(buckets, [&](uint32_t bucket) {
    uint32_t i = buckets.starts[bucket] / 2 - from;
    const uint64_t top = (first + bucket) << (64 - width);
    const __m512i number = _mm512_set1_epi64(static_cast<long long>(top));
    const uint32_t end = buckets.starts[bucket + 1] / 2 - from;
    do {
      const __m512i codes = _mm512_maskz_permutexvar_epi8(bytes, place, _mm512_loadu_si512(packed + size_t{i} * stride));
      _mm512_storeu_si512(low + i, _mm512_or_si512(codes, number));
      i += kPackedLanes;
    } while (i < end);
  });
}

// Four codes of 9 to 16 bytes: the low words in the lower half, the high ones in the upper half.
void unpack_wide(const char* packed, uint32_t stride, const neardup::kernels::KeyBuckets& buckets, uint64_t first, uint32_t width,
                 uint64_t* low, uint64_t* high) {
  alignas(64) unsigned char places[64];
  uint64_t bytes = 0;
  for (uint32_t byte = 0; byte < 64; ++byte) {
    const uint32_t in_code = byte % 8 + (byte < 32 ? 0 : 8);
    places[byte] = static_cast<unsigned char>((byte / 8 % 4 * stride + in_code) % 64);
    if (in_code < stride) bytes |= uint64_t{1} << byte;
  }
  const __m512i place = _mm512_load_si512(places);
  const uint32_t from = buckets.starts[0] / 2;
  each_full_bucket(buckets, [&](uint32_t bucket) {
    uint32_t i = buckets.starts[bucket] / 2 - from;
    const uint64_t top = (first + bucket) << (64 - width);
    const __m256i number = _mm256_set1_epi64x(static_cast<long long>(top));
    const uint32_t end = buckets.starts[bucket + 1] / 2 - from;
    do {
      const __m512i codes = _mm512_maskz_permutexvar_epi8(bytes, place, _mm512_loadu_si512(packed + size_t{i} * stride));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(low + i), _mm512_castsi512_si256(codes));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(high + i), _mm256_or_si256(_mm512_extracti64x4_epi64(codes, 1), number));
      i += 4;
    } while (i < end);
  });
}

void unpack_keys_impl(const char* packed, uint32_t stride, const neardup::kernels::KeyBuckets& buckets, uint64_t first, uint32_t width,
                      uint64_t* low, uint64_t* high) {
  high == nullptr ? unpack_narrow(packed, stride, buckets, first, width, low)
                  : unpack_wide(packed, stride, buckets, first, width, low, high);
}

}  // namespace
