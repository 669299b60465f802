// Pairs of near keys without wide counting of bits, compiled once per instruction set. See kernels.h.
#pragma once

#include "kernels/keys_scalar.h"

namespace {

template <bool kWide>
void unpack_keys_scalar(const char* packed, uint32_t stride, const neardup::kernels::KeyBuckets& buckets, uint64_t first, uint32_t width,
                        uint64_t* low, uint64_t* high) {
  const uint32_t top_bytes = kWide ? stride - 8 : stride;
  const uint64_t mask = top_bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * top_bytes)) - 1;
  const uint32_t begin = buckets.starts[0] / 2;
  uint32_t i = 0;
  for (size_t bucket = 0; bucket < buckets.buckets; ++bucket) {
    const uint64_t number = (first + bucket) << (64 - width);
    for (const uint32_t end = buckets.starts[bucket + 1] / 2 - begin; i < end; ++i, packed += stride) {
      __builtin_memcpy(low + i, packed, 8);
      if constexpr (kWide) {
        __builtin_memcpy(high + i, packed + 8, 8);
        high[i] = (high[i] & mask) | number;
      } else {
        low[i] = (low[i] & mask) | number;
      }
    }
  }
}

template <bool kWide>
size_t near_keys_scalar(neardup::kernels::Keys a, uint32_t a_count, neardup::kernels::Keys b, uint32_t b_count, bool own, uint32_t radius,
                        neardup::kernels::KeyMatch* matches) {
  constexpr uint32_t kTile = neardup::kernels::kKeyTile;
  size_t found = 0;
  for (uint32_t i = 0; i < a_count; i += kTile) {
    for (uint32_t j = own ? i : 0; j < b_count; j += kTile) {
      found +=
          near_tile<kWide>(a, i, smaller(a_count, i + kTile), b, j, smaller(b_count, j + kTile), own && i == j, radius, matches + found);
    }
  }
  return found;
}

// One key and its bucket. False when that does not fit.
template <bool kWide>
[[gnu::always_inline]] inline bool meet_scalar(const neardup::kernels::KeyMeeting& meeting, uint32_t i, neardup::kernels::KeyMatch* matches,
                                               size_t room, size_t* found) {
  const uint32_t bucket = met_bucket<kWide>(meeting, i);
  const uint32_t end = meeting.buckets.starts[bucket + 1] / 2;
  uint32_t j = meeting.buckets.starts[bucket] / 2;
  if (room - *found < end - j) return false;
  for (; j < end; ++j) {
    const uint32_t distance = key_distance<kWide>(meeting.a, i, meeting.b, j);
    if (distance <= meeting.radius) matches[(*found)++] = {i, j, distance};
  }
  return true;
}

template <bool kWide>
size_t meet_all_scalar(const neardup::kernels::KeyMeeting& meeting, uint32_t* begin, uint32_t end, neardup::kernels::KeyMatch* matches,
                       size_t room) {
  size_t found = 0;
  while (*begin < end && meet_scalar<kWide>(meeting, *begin, matches, room, &found)) ++*begin;
  return found;
}

void unpack_keys_impl(const char* packed, uint32_t stride, const neardup::kernels::KeyBuckets& buckets, uint64_t first, uint32_t width,
                      uint64_t* low, uint64_t* high) {
  high == nullptr ? unpack_keys_scalar<false>(packed, stride, buckets, first, width, low, high)
                  : unpack_keys_scalar<true>(packed, stride, buckets, first, width, low, high);
}

size_t near_keys_impl(neardup::kernels::Keys a, uint32_t a_count, neardup::kernels::Keys b, uint32_t b_count, uint32_t radius,
                      neardup::kernels::KeyMatch* matches) {
  return a.high == nullptr ? near_keys_scalar<false>(a, a_count, b, b_count, false, radius, matches)
                           : near_keys_scalar<true>(a, a_count, b, b_count, false, radius, matches);
}

size_t near_own_keys_impl(neardup::kernels::Keys keys, uint32_t count, uint32_t radius, neardup::kernels::KeyMatch* matches) {
  return keys.high == nullptr ? near_keys_scalar<false>(keys, count, keys, count, true, radius, matches)
                              : near_keys_scalar<true>(keys, count, keys, count, true, radius, matches);
}

size_t near_meeting_impl(const neardup::kernels::KeyMeeting& meeting, uint32_t* begin, uint32_t end, neardup::kernels::KeyMatch* matches,
                         size_t room) {
  return meeting.a.high == nullptr ? meet_all_scalar<false>(meeting, begin, end, matches, room)
                                   : meet_all_scalar<true>(meeting, begin, end, matches, room);
}

}  // namespace
