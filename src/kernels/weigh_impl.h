// The SimHash loop that adds weights, compiled once per instruction set: masked additions of integers, so that all widths give the same
// numbers; weigh_gfni.h takes eights of features where there is GFNI. The unit that includes this defines NEARDUP_VECTOR_BYTES.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"
#include "kernels/simhash_impl.h"
#if NEARDUP_VECTOR_BYTES == 64 && defined(__AVX512F__)
#include <immintrin.h>
#endif
#if NEARDUP_VECTOR_BYTES == 64 && defined(__GFNI__)
#include "kernels/weigh_gfni.h"
#else
namespace {
// Takes none: weigh_block() adds them all.
template <bool kSecond>
size_t weigh_eights(const char* /*features*/, size_t /*count*/, int64_t* /*sums*/) {
  return 0;
}
}  // namespace
#endif

namespace {

constexpr size_t kWeighBlock = 256;
using neardup::kernels::kWeightedBytes;

using WeightLanes = int32_t __attribute__((vector_size(NEARDUP_VECTOR_BYTES)));
using BitLanes = uint32_t __attribute__((vector_size(NEARDUP_VECTOR_BYTES)));
constexpr size_t kWeightLanes = NEARDUP_VECTOR_BYTES / sizeof(int32_t);
constexpr size_t kWeightVectors = 64 / kWeightLanes;

// A weight, or a half of it: weight = high half * 2^16 + low half.
enum class WeightPart { kWhole, kLow, kHigh };
template <WeightPart kPart>
[[gnu::always_inline]] inline int32_t part_of(int32_t weight) {
  if constexpr (kPart == WeightPart::kLow) return weight & 0xFFFF;
  if constexpr (kPart == WeightPart::kHigh) return weight >> 16;
  return weight;
}

// sum[v] += weight in the lanes whose bit the word has.
[[gnu::always_inline]] inline void add_masked(WeightLanes* sum, uint64_t word, int32_t weight) {
  const WeightLanes weights = weight - WeightLanes{};  // scalar minus zero vector: a broadcast
#if NEARDUP_VECTOR_BYTES == 64 && defined(__AVX512F__)
  // The word itself is the mask. (The compiler does not find this by itself.)
  for (size_t v = 0; v < kWeightVectors; ++v) {
    const auto mask = static_cast<__mmask16>(word >> (v * kWeightLanes));
    sum[v] = reinterpret_cast<WeightLanes>(_mm512_mask_add_epi32(reinterpret_cast<__m512i>(sum[v]), mask, reinterpret_cast<__m512i>(sum[v]),
                                                                 reinterpret_cast<__m512i>(weights)));
  }
#else
#pragma GCC unroll 16
  for (size_t v = 0; v < kWeightVectors; ++v) {
    BitLanes bit;
    for (size_t lane = 0; lane < kWeightLanes; ++lane) bit[lane] = uint32_t{1} << ((v * kWeightLanes + lane) % 32);
    const BitLanes half = static_cast<uint32_t>(word >> (v * kWeightLanes / 32 * 32)) - BitLanes{};
    sum[v] += ((half & bit) == bit) & weights;
  }
#endif
}

// Adds the weights (or halves, back in their place) of the features that have bit i to sums[i]. The magnitudes of the block's weights
// have a sum below 2^31.
template <WeightPart kPart, bool kSecond>
void weigh_block(const char* features, size_t count, int64_t* sums) {
  WeightLanes sum[kWeightVectors] = {};
  for (size_t i = 0; i < count; ++i, features += kWeightedBytes) {
    uint64_t hash;
    int32_t weight;
    __builtin_memcpy(&hash, features, sizeof hash);
    __builtin_memcpy(&weight, features + sizeof hash, sizeof weight);
    add_masked(sum, kSecond ? second_word(hash) : hash, part_of<kPart>(weight));
  }
  int32_t lanes[64];
  __builtin_memcpy(lanes, sum, sizeof sum);
  for (size_t i = 0; i < 64; ++i) sums[i] += int64_t{lanes[i]} * (kPart == WeightPart::kHigh ? 65536 : 1);
}

template <bool kSecond>
void weigh(const char* features, size_t count, int64_t* sums) {
  for (size_t begin = 0; begin < count; begin += kWeighBlock) {
    const size_t now = count - begin < kWeighBlock ? count - begin : kWeighBlock;
    const char* const block = features + begin * kWeightedBytes;
    uint64_t magnitude = 0;
    int64_t total = 0;
    for (size_t i = 0; i < now; ++i) {
      int32_t weight;
      __builtin_memcpy(&weight, block + i * kWeightedBytes + sizeof(uint64_t), sizeof weight);
      magnitude += static_cast<uint32_t>(weight < 0 ? -int64_t{weight} : int64_t{weight});
      total += weight;
    }
    sums[64] += total;
    if (magnitude <= 0x7FFF'FFFF) {
      const size_t done = weigh_eights<kSecond>(block, now, sums);
      if (done < now) weigh_block<WeightPart::kWhole, kSecond>(block + done * kWeightedBytes, now - done, sums);
    } else {
      weigh_block<WeightPart::kLow, kSecond>(block, now, sums);
      weigh_block<WeightPart::kHigh, kSecond>(block, now, sums);
    }
  }
}

void simhash_weigh_impl(const void* features, size_t count, bool second, int64_t* sums) {
  const char* const bytes = static_cast<const char*>(features);
  second ? weigh<true>(bytes, count, sums) : weigh<false>(bytes, count, sums);
}

}  // namespace
