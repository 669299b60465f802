// Pairs of near keys, one after the other: the definition of what the kernels give, and of its order. See kernels.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"

namespace {

template <bool kWide>
[[gnu::always_inline]] inline uint32_t key_distance(neardup::kernels::Keys a, size_t i, neardup::kernels::Keys b, size_t j) {
  int distance = __builtin_popcountll(a.low[i] ^ b.low[j]);
  if constexpr (kWide) distance += __builtin_popcountll(a.high[i] ^ b.high[j]);
  return static_cast<uint32_t>(distance);
}

[[gnu::always_inline]] inline uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

// The keys [a, a_end) with the keys [b, b_end); with `own`, only those after each.
template <bool kWide>
[[gnu::always_inline]] inline size_t near_tile(neardup::kernels::Keys keys_a, uint32_t a, uint32_t a_end, neardup::kernels::Keys keys_b,
                                               uint32_t b, uint32_t b_end, bool own, uint32_t radius, neardup::kernels::KeyMatch* matches) {
  size_t found = 0;
  for (uint32_t i = a; i < a_end; ++i) {
    for (uint32_t j = own ? i + 1 : b; j < b_end; ++j) {
      const uint32_t distance = key_distance<kWide>(keys_a, i, keys_b, j);
      if (distance <= radius) matches[found++] = {i, j, distance};
    }
  }
  return found;
}

template <typename Count>
bool bucket_starts_of(const char* counts, size_t buckets, uint32_t base, uint32_t lanes, uint32_t max_keys, uint32_t* starts) {
  uint32_t wrong = 0;
  for (size_t i = 0; i < buckets; ++i) {
    Count before;
    Count count;
    __builtin_memcpy(&before, counts + i * sizeof(Count) - sizeof(Count), sizeof(Count));
    __builtin_memcpy(&count, counts + i * sizeof(Count), sizeof(Count));
    const uint32_t size = uint32_t{count} - uint32_t{before};
    starts[i] = 2 * (base + before) + (size > lanes ? 1 : 0);
    wrong |= size > max_keys ? 1 : 0;
  }
  return wrong == 0;
}

bool bucket_starts_impl(const char* counts, uint32_t count_bytes, size_t buckets, uint32_t base, uint32_t lanes, uint32_t max_keys,
                        uint32_t* starts) {
  return count_bytes == 1 ? bucket_starts_of<uint8_t>(counts, buckets, base, lanes, max_keys, starts)
                          : bucket_starts_of<uint16_t>(counts, buckets, base, lanes, max_keys, starts);
}

// The bits of the key after the shift, with the flipped bits.
template <bool kWide>
[[gnu::always_inline]] inline uint32_t met_bucket(const neardup::kernels::KeyMeeting& meeting, size_t i) {
  const uint64_t top = kWide ? meeting.a.high[i] : meeting.a.low[i];
  return (static_cast<uint32_t>(top >> meeting.shift) ^ meeting.flip) & meeting.mask;
}

}  // namespace
