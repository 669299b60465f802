// Hamming distances of a query to packed remainders, one code after the other. See kernels.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"

namespace {

[[gnu::always_inline]] inline uint64_t low_bytes(uint64_t word, uint32_t bytes) {
  return bytes >= 8 ? word : word & ((uint64_t{1} << (8 * bytes)) - 1);
}

template <bool kWide>
size_t near_packed(const neardup::kernels::PackedRun* runs, size_t count, neardup::kernels::PackedMatch* matches) {
  size_t found = 0;
  for (size_t r = 0; r < count; ++r) {
    const neardup::kernels::PackedRun& run = runs[r];
    const char* at = run.codes;
    for (uint32_t i = 0; i < run.count; ++i, at += run.stride) {
      uint64_t low;
      __builtin_memcpy(&low, at, sizeof low);
      uint32_t distance;
      if constexpr (kWide) {
        uint64_t high;
        __builtin_memcpy(&high, at + 8, sizeof high);
        distance =
            static_cast<uint32_t>(__builtin_popcountll(low ^ run.low) + __builtin_popcountll(low_bytes(high, run.stride - 8) ^ run.high));
      } else {
        distance = static_cast<uint32_t>(__builtin_popcountll(low_bytes(low, run.stride) ^ run.low));
      }
      if (distance <= run.radius) matches[found++] = {static_cast<uint32_t>(r), i, distance};
    }
  }
  return found;
}

}  // namespace
