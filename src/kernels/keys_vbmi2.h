// Pairs of near keys, for processors with AVX-512 VBMI and VPOPCNTDQ. See kernels.h.
//
// Matches are rare: the loops keep the smallest distance of 64 pairs (eight keys with eight others) and list matches only when it is within
// the radius.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "kernels/keys_scalar.h"
#include "kernels/unpack_vbmi2.h"

namespace {

constexpr uint32_t kKeyLanes = neardup::kernels::kKeyTile;

// The distances of one key to the eight that begin at `low` and `high`.
template <bool kWide>
[[gnu::always_inline]] inline __m512i key_distances(neardup::kernels::Keys keys, size_t i, const void* low, const void* high) {
  const __m512i query = _mm512_set1_epi64(static_cast<long long>(keys.low[i]));
  __m512i distances = _mm512_popcnt_epi64(_mm512_xor_si512(query, _mm512_loadu_si512(low)));
  if constexpr (kWide) {
    const __m512i query_high = _mm512_set1_epi64(static_cast<long long>(keys.high[i]));
    distances = _mm512_add_epi64(distances, _mm512_popcnt_epi64(_mm512_xor_si512(query_high, _mm512_loadu_si512(high))));
  }
  return distances;
}

[[gnu::always_inline]] inline const void* at_key(const uint64_t* words, size_t i) {
  return words == nullptr ? nullptr : words + i;
}

// Distances are below 2^32, so that a minimum of halves is one of words.
[[gnu::always_inline]] inline bool any_near(__m512i nearest, uint32_t radius) {
  return _mm512_cmple_epu64_mask(nearest, _mm512_set1_epi64(radius)) != 0;
}

template <bool kWide>
size_t near_keys_wide(neardup::kernels::Keys a, uint32_t a_count, neardup::kernels::Keys b, uint32_t b_count, bool own, uint32_t radius,
                      neardup::kernels::KeyMatch* matches) {
  size_t found = 0;
  for (uint32_t i = 0; i < a_count; i += kKeyLanes) {
    uint32_t j = 0;
    if (own) {  // all pairs of the eight, by rotating them against themselves
      const __m512i low = _mm512_loadu_si512(a.low + i);
      const __m512i high = kWide ? _mm512_loadu_si512(a.high + i) : low;
      __m512i nearest = _mm512_set1_epi64(255);
      const auto turn = [&](__m512i turned_low, __m512i turned_high) {
        __m512i distances = _mm512_popcnt_epi64(_mm512_xor_si512(low, turned_low));
        if constexpr (kWide) distances = _mm512_add_epi64(distances, _mm512_popcnt_epi64(_mm512_xor_si512(high, turned_high)));
        nearest = _mm512_min_epi32(nearest, distances);
      };
      turn(_mm512_alignr_epi64(low, low, 1), _mm512_alignr_epi64(high, high, 1));
      turn(_mm512_alignr_epi64(low, low, 2), _mm512_alignr_epi64(high, high, 2));
      turn(_mm512_alignr_epi64(low, low, 3), _mm512_alignr_epi64(high, high, 3));
      turn(_mm512_alignr_epi64(low, low, 4), _mm512_alignr_epi64(high, high, 4));
      if (any_near(nearest, radius)) [[unlikely]] {
        const uint32_t end = smaller(a_count, i + kKeyLanes);
        found += near_tile<kWide>(a, i, end, a, i, end, true, radius, matches + found);
      }
      j = i + kKeyLanes;
    }
    for (; j < b_count; j += kKeyLanes) {
      __m512i nearest = _mm512_set1_epi64(255);
#pragma GCC unroll 8
      for (uint32_t k = 0; k < kKeyLanes; ++k) {
        nearest = _mm512_min_epi32(nearest, key_distances<kWide>(a, i + k, at_key(b.low, j), at_key(b.high, j)));
      }
      if (any_near(nearest, radius)) [[unlikely]] {
        found +=
            near_tile<kWide>(a, i, smaller(a_count, i + kKeyLanes), b, j, smaller(b_count, j + kKeyLanes), false, radius, matches + found);
      }
    }
  }
  return found;
}

// One key and its bucket. False when that does not fit.
template <bool kWide>
bool meet_one(const neardup::kernels::KeyMeeting& meeting, uint32_t i, neardup::kernels::KeyMatch* matches, size_t room, size_t* found) {
  const uint32_t bucket = met_bucket<kWide>(meeting, i);
  const uint32_t end = meeting.buckets.starts[bucket + 1] / 2;
  uint32_t j = meeting.buckets.starts[bucket] / 2;
  if (room - *found < end - j) return false;
  for (; j < end; j += kKeyLanes) {
    const __m512i distances = key_distances<kWide>(meeting.a, i, at_key(meeting.b.low, j), at_key(meeting.b.high, j));
    uint32_t near = _mm512_cmple_epu64_mask(distances, _mm512_set1_epi64(meeting.radius));
    if (end - j < kKeyLanes) near &= (1u << (end - j)) - 1;
    if (near == 0) [[likely]]
      continue;
    uint64_t all[kKeyLanes];
    _mm512_storeu_si512(all, distances);
    for (; near != 0; near &= near - 1) {
      const auto lane = static_cast<uint32_t>(__builtin_ctz(near));
      matches[(*found)++] = {i, j + lane, static_cast<uint32_t>(all[lane])};
    }
  }
  return true;
}

// A long bucket has an odd start, which makes the fast loop compare bytes that are not keys; then all eight are compared again.
template <bool kWide, uint32_t kVectors>
size_t meet_all(const neardup::kernels::KeyMeeting& meeting, uint32_t* begin, uint32_t end, neardup::kernels::KeyMatch* matches,
                size_t room) {
  const char* low = reinterpret_cast<const char*>(meeting.b.low);
  const char* high = reinterpret_cast<const char*>(meeting.b.high);
  size_t found = 0;
  uint32_t i = *begin;
  for (; i + kKeyLanes <= end; i += kKeyLanes) {
    __m512i nearest = _mm512_set1_epi64(255);
    uint32_t starts = 0;
#pragma GCC unroll 8
    for (uint32_t k = 0; k < kKeyLanes; ++k) {
      const uint32_t start = meeting.buckets.starts[met_bucket<kWide>(meeting, i + k)];
      starts |= start;
      const size_t at = size_t{start} * 4;
      for (size_t v = 0; v < kVectors; ++v) {
        nearest =
            _mm512_min_epi32(nearest, key_distances<kWide>(meeting.a, i + k, low + at + v * 64, kWide ? high + at + v * 64 : nullptr));
      }
    }
    if (!any_near(nearest, meeting.radius) && starts % 2 == 0) [[likely]]
      continue;
    for (uint32_t k = 0; k < kKeyLanes; ++k) {
      if (meet_one<kWide>(meeting, i + k, matches, room, &found)) continue;
      *begin = i + k;
      return found;
    }
  }
  while (i < end && meet_one<kWide>(meeting, i, matches, room, &found)) ++i;
  *begin = i;
  return found;
}

size_t near_keys_impl(neardup::kernels::Keys a, uint32_t a_count, neardup::kernels::Keys b, uint32_t b_count, uint32_t radius,
                      neardup::kernels::KeyMatch* matches) {
  return a.high == nullptr ? near_keys_wide<false>(a, a_count, b, b_count, false, radius, matches)
                           : near_keys_wide<true>(a, a_count, b, b_count, false, radius, matches);
}

size_t near_own_keys_impl(neardup::kernels::Keys keys, uint32_t count, uint32_t radius, neardup::kernels::KeyMatch* matches) {
  return keys.high == nullptr ? near_keys_wide<false>(keys, count, keys, count, true, radius, matches)
                              : near_keys_wide<true>(keys, count, keys, count, true, radius, matches);
}

size_t near_meeting_impl(const neardup::kernels::KeyMeeting& meeting, uint32_t* begin, uint32_t end, neardup::kernels::KeyMatch* matches,
                         size_t room) {
  if (meeting.a.high == nullptr) {
    return meeting.buckets.lanes == 8 ? meet_all<false, 1>(meeting, begin, end, matches, room)
                                      : meet_all<false, 2>(meeting, begin, end, matches, room);
  }
  return meeting.buckets.lanes == 8 ? meet_all<true, 1>(meeting, begin, end, matches, room)
                                    : meet_all<true, 2>(meeting, begin, end, matches, room);
}

}  // namespace
