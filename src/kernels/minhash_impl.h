// The MinHash loop, compiled once per instruction set. The unit that includes this defines NEARDUP_VECTOR_BYTES, the width of its
// registers; the arithmetic is on 32-bit lanes and the same for every width, so all units give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/lanes.h"

namespace {

// As many minima as stay in registers next to the operands: half of the 16 (or a quarter of the 32) that there are.
constexpr size_t kVectorsPerBlock = NEARDUP_VECTOR_BYTES == 64 ? 4 : 8;
constexpr size_t kLanesPerBlock = kLanesPerVector * kVectorsPerBlock;  // divides kernels::kLaneBlock
constexpr size_t kLanesPerGroup = 16;                                  // kernels::kLaneGroup
constexpr size_t kVectorsPerGroup = kLanesPerGroup / kLanesPerVector;

// The low (0) or the high (1) half of a feature in all lanes: one broadcasting load, where computing the word first would occupy the
// multipliers.
Lanes half_of(const uint64_t* feature, size_t half) {
  constexpr size_t kFirst = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 1;
  uint32_t word;
  __builtin_memcpy(&word, reinterpret_cast<const char*>(feature) + (half ^ kFirst) * sizeof word, sizeof word);
  return word - Lanes{};  // scalar minus zero vector: a broadcast
}

// kVectors of lanes for all features: their minima stay in registers while the features stream past. The arrays have any alignment.
template <size_t kVectors>
void minhash_block(const uint64_t* features, size_t count, const uint32_t* offsets, uint32_t* signature) {
  Lanes minimum[kVectors];
  for (size_t v = 0; v < kVectors; ++v) __builtin_memcpy(&minimum[v], signature + v * kLanesPerVector, sizeof minimum[v]);
  for (size_t i = 0; i < count; ++i) {
    const Lanes low = half_of(features + i, 0);
    const Lanes odd = half_of(features + i, 1) | 1u;
#pragma GCC unroll 8
    for (size_t v = 0; v < kVectors; ++v) {
      Lanes offset;
      __builtin_memcpy(&offset, offsets + v * kLanesPerVector, sizeof offset);
      const Lanes hash = (low ^ offset) * odd;
      minimum[v] = hash < minimum[v] ? hash : minimum[v];
    }
  }
  for (size_t v = 0; v < kVectors; ++v) __builtin_memcpy(signature + v * kLanesPerVector, &minimum[v], sizeof minimum[v]);
}

void minhash_update_impl(const uint64_t* features, size_t count, const uint32_t* offsets, uint32_t* signature, size_t padded_lanes) {
  size_t lane = 0;
  for (; lane + kLanesPerBlock <= padded_lanes; lane += kLanesPerBlock) {
    minhash_block<kVectorsPerBlock>(features, count, offsets + lane, signature + lane);
  }
  for (; lane < padded_lanes; lane += kLanesPerGroup) {
    minhash_block<kVectorsPerGroup>(features, count, offsets + lane, signature + lane);
  }
}

}  // namespace
