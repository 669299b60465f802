// Hamming distances of one code to 64 others, compiled once per instruction set. The unit that includes this defines NEARDUP_VECTOR_BYTES.
// The bits are counted in all lanes at once, by sums of increasingly wide fields.
#pragma once

#include <cstddef>
#include <cstdint>

namespace {

using CodeWords = uint64_t __attribute__((vector_size(NEARDUP_VECTOR_BYTES)));
constexpr size_t kCodeLanes = NEARDUP_VECTOR_BYTES / sizeof(uint64_t);
constexpr size_t kCodeBlock = 64;  // kernels::kCodeBlock

// Bits of each byte.
[[gnu::always_inline]] inline CodeWords byte_counts(const uint64_t* codes, uint64_t query) {
  CodeWords x;
  __builtin_memcpy(&x, codes, sizeof x);
  x ^= query;
  x -= (x >> 1) & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
  return (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
}

template <bool kWide>
uint64_t near_codes(const uint64_t* low, const uint64_t* high, uint64_t query_low, uint64_t query_high, uint32_t radius) {
  constexpr size_t kVectors = kCodeBlock / kCodeLanes;
  CodeWords near[kVectors];
  CodeWords any = {};
#pragma GCC unroll 32
  for (size_t v = 0; v < kVectors; ++v) {
    CodeWords counts = byte_counts(low + v * kCodeLanes, query_low);
    if constexpr (kWide) counts += byte_counts(high + v * kCodeLanes, query_high);
    counts += counts >> 8;  // no byte passes 128
    counts += counts >> 16;
    counts += counts >> 32;
    near[v] = (counts & 0xFF) <= radius ? ~CodeWords{} : CodeWords{};
    any |= near[v];
  }
  uint64_t none = 0;
  for (size_t lane = 0; lane < kCodeLanes; ++lane) none |= any[lane];
  if (none == 0) return 0;  // mostly
  uint64_t bits = 0;
  for (size_t v = 0; v < kVectors; ++v) {
    for (size_t lane = 0; lane < kCodeLanes; ++lane) bits |= (near[v][lane] & 1) << (v * kCodeLanes + lane);
  }
  return bits;
}

uint64_t hamming_near_impl(const uint64_t* low, const uint64_t* high, uint64_t query_low, uint64_t query_high, uint32_t radius) {
  return high == nullptr ? near_codes<false>(low, high, query_low, query_high, radius)
                         : near_codes<true>(low, high, query_low, query_high, radius);
}

}  // namespace
