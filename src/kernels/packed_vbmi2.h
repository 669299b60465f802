// Hamming distances of a query to packed remainders, for processors with AVX-512 VBMI and VPOPCNTDQ: a byte permutation brings eight codes,
// however wide, to their lanes. See kernels.h.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"
#include "kernels/packed_scalar.h"

namespace {

constexpr uint32_t kPackedLanes = 8;

// For each stride, the places of the bytes of eight codes, each in the low bytes of its lane.
struct SpreadTable {
  unsigned char place[kPackedLanes + 1][64];
};
constexpr SpreadTable make_spread() {
  SpreadTable table{};
  for (uint32_t stride = 1; stride <= kPackedLanes; ++stride) {
    for (uint32_t i = 0; i < 64; ++i) table.place[stride][i] = static_cast<unsigned char>(i / 8 * stride + i % 8 % stride);
  }
  return table;
}
alignas(64) constexpr SpreadTable kSpread = make_spread();

size_t near_packed_narrow(const neardup::kernels::PackedRun* runs, size_t count, neardup::kernels::PackedMatch* matches) {
  size_t found = 0;
  for (size_t r = 0; r < count; ++r) {
    const neardup::kernels::PackedRun& run = runs[r];
    const __m512i place = _mm512_load_si512(kSpread.place[run.stride]);
    const __mmask64 bytes = ((uint64_t{1} << (run.stride % 8)) - 1) * 0x0101010101010101u | (run.stride == 8 ? ~uint64_t{0} : 0);
    const __m512i query = _mm512_set1_epi64(static_cast<long long>(run.low));
    const __m512i radius = _mm512_set1_epi64(run.radius);
    const char* at = run.codes;
    for (uint32_t i = 0; i < run.count; i += kPackedLanes, at += size_t{kPackedLanes} * run.stride) {
      // Bytes after the run may lie in a cache line that was not fetched: then only the line of the run is read.
      const uint32_t used = (run.count - i < kPackedLanes ? run.count - i : kPackedLanes) * run.stride;
      const auto offset = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(at) % 64);
      const uint32_t back = offset + used <= 64 ? offset : 0;
      const __m512i from = _mm512_add_epi8(place, _mm512_set1_epi8(static_cast<char>(back)));
      const __m512i codes = _mm512_maskz_permutexvar_epi8(bytes, from, _mm512_loadu_si512(at - back));
      const __m512i distances = _mm512_popcnt_epi64(_mm512_xor_si512(codes, query));
      uint32_t near = _mm512_cmple_epu64_mask(distances, radius);
      if (run.count - i < kPackedLanes) near &= (1u << (run.count - i)) - 1;
      if (near == 0) [[likely]]
        continue;
      uint64_t all[kPackedLanes];
      _mm512_storeu_si512(all, distances);
      for (; near != 0; near &= near - 1) {
        const auto lane = static_cast<uint32_t>(__builtin_ctz(near));
        matches[found++] = {static_cast<uint32_t>(r), i + lane, static_cast<uint32_t>(all[lane])};
      }
    }
  }
  return found;
}

size_t hamming_packed_impl(const neardup::kernels::PackedRun* runs, size_t count, bool wide, neardup::kernels::PackedMatch* matches) {
  return wide ? near_packed<true>(runs, count, matches) : near_packed_narrow(runs, count, matches);
}

}  // namespace
