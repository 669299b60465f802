// Hamming distances of one code to 64 others, for processors with AVX-512 VPOPCNTDQ. See kernels.h.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace {

constexpr size_t kNearLanes = 8;
constexpr size_t kNearCodes = 64;   // kernels::kCodeBlock
constexpr size_t kNearAhead = 512;  // words: callers read on, faster than the hardware prefetches

template <bool kWide>
uint64_t near_codes(const uint64_t* low, const uint64_t* high, uint64_t query_low, uint64_t query_high, uint32_t radius) {
  const __m512i wanted_low = _mm512_set1_epi64(static_cast<long long>(query_low));
  const __m512i wanted_high = _mm512_set1_epi64(static_cast<long long>(query_high));
  const __m512i limit = _mm512_set1_epi64(radius);
  uint64_t bits = 0;
#pragma GCC unroll 8
  for (size_t i = 0; i < kNearCodes; i += kNearLanes) {
    _mm_prefetch(reinterpret_cast<const char*>(low + i + kNearAhead), _MM_HINT_T0);
    __m512i distances = _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_loadu_si512(low + i), wanted_low));
    if constexpr (kWide) {
      _mm_prefetch(reinterpret_cast<const char*>(high + i + kNearAhead), _MM_HINT_T0);
      distances = _mm512_add_epi64(distances, _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_loadu_si512(high + i), wanted_high)));
    }
    bits |= static_cast<uint64_t>(_mm512_cmple_epu64_mask(distances, limit)) << i;
  }
  return bits;
}

uint64_t hamming_near_impl(const uint64_t* low, const uint64_t* high, uint64_t query_low, uint64_t query_high, uint32_t radius) {
  return high == nullptr ? near_codes<false>(low, high, query_low, query_high, radius)
                         : near_codes<true>(low, high, query_low, query_high, radius);
}

}  // namespace
