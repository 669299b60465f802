// The counting loop of SimHash, compiled once per instruction set. The unit that includes this defines NEARDUP_VECTOR_BYTES.
//
// Counting is bit-sliced: level[l] holds bit l of 64 counters per 64-bit lane, and a tree of carry-save adders takes 16 vectors of
// features at 30 to 75 instructions, whatever their number (Harley and Seal; Mula, Kurz, Lemire 2018). All arithmetic is on
// integers, so all widths give the same numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace {

using SliceWords = uint64_t __attribute__((vector_size(NEARDUP_VECTOR_BYTES)));
constexpr size_t kSliceLanes = NEARDUP_VECTOR_BYTES / sizeof(uint64_t);
constexpr size_t kTreeLevels = 4;
constexpr size_t kTreeVectors = size_t{1} << kTreeLevels;
constexpr size_t kSliceLevels = 17;
constexpr size_t kChunkVectors = size_t{1} << (kSliceLevels - 1);  // the most that the levels of a lane can count

// The second word of a feature: mix64(x + c) of src/base/hash.h with c = 2^64 / golden ratio, the first output of SplitMix64.
// `Word` is uint64_t or SliceWords.
template <typename Word>
[[gnu::always_inline]] inline Word second_word(Word x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// level += a + b for counters of one bit; returns the carry.
[[gnu::always_inline]] inline SliceWords add_carry(SliceWords& level, SliceWords a, SliceWords b) {
  const SliceWords half = level ^ a;
  const SliceWords carry = (level & a) | (half & b);
  level = half ^ b;
  return carry;
}

// Adds 2^kLevel vectors to the levels below kLevel; returns what carries into it.
template <size_t kLevel, bool kSecond>
[[gnu::always_inline]] inline SliceWords add_tree(const uint64_t* features, SliceWords* level) {
  if constexpr (kLevel == 0) {
    SliceWords words;
    __builtin_memcpy(&words, features, sizeof words);
    if constexpr (kSecond) words = second_word(words);
    return words;
  } else {
    const SliceWords a = add_tree<kLevel - 1, kSecond>(features, level);
    const SliceWords b = add_tree<kLevel - 1, kSecond>(features + (kSliceLanes << (kLevel - 1)), level);
    return add_carry(level[kLevel - 1], a, b);
  }
}

// Adds a carry to the levels from `first` on. Requires enough `levels` for everything added.
[[gnu::always_inline]] inline void add_ripple(SliceWords* level, size_t first, size_t levels, SliceWords carry) {
  for (size_t l = first; l < levels; ++l) {
    const SliceWords next = level[l] & carry;
    level[l] ^= carry;
    carry = next;
  }
}

// Adds one lane's counters to the total, whose levels are enough for the sum.
void add_lane(const uint64_t* lane, size_t stride, size_t levels, uint64_t* total) {
  uint64_t carry = 0;
  for (size_t l = 0; l < levels; ++l) {
    const uint64_t a = total[l];
    const uint64_t b = lane[l * stride];
    total[l] = a ^ b ^ carry;
    carry = (a & b) | ((a ^ b) & carry);
  }
  for (size_t l = levels; carry != 0; ++l) {
    const uint64_t next = total[l] & carry;
    total[l] ^= carry;
    carry = next;
  }
}

// At most kChunkVectors * kSliceLanes features.
template <bool kSecond>
void count_chunk(const uint64_t* features, size_t count, uint64_t* total) {
  SliceWords level[kSliceLevels] = {};
  const size_t vectors = (count + kSliceLanes - 1) / kSliceLanes;
  const size_t levels = 64 - static_cast<size_t>(__builtin_clzll(vectors | 1));
  size_t whole = count / kSliceLanes;
  SliceWords low[kTreeLevels] = {};  // in registers
  for (; whole >= kTreeVectors; whole -= kTreeVectors, features += kTreeVectors * kSliceLanes) {
    add_ripple(level, kTreeLevels, levels, add_tree<kTreeLevels, kSecond>(features, low));
  }
  for (size_t l = 0; l < kTreeLevels; ++l) level[l] = low[l];
  if ((whole & 8) != 0) {
    add_ripple(level, 3, levels, add_tree<3, kSecond>(features, level));
    features += 8 * kSliceLanes;
  }
  for (size_t i = 0; i < (whole & 7); ++i, features += kSliceLanes) add_ripple(level, 0, levels, add_tree<0, kSecond>(features, level));

  if (count % kSliceLanes != 0) {  // the missing lanes count nothing
    uint64_t last[kSliceLanes] = {};
    for (size_t i = 0; i < count % kSliceLanes; ++i) last[i] = kSecond ? second_word(features[i]) : features[i];
    add_ripple(level, 0, levels, add_tree<0, false>(last, level));
  }
  uint64_t lanes[kSliceLevels * kSliceLanes];
  __builtin_memcpy(lanes, level, levels * sizeof(SliceWords));
  for (size_t lane = 0; lane < kSliceLanes; ++lane) add_lane(lanes + lane, kSliceLanes, levels, total);
}

void simhash_count_impl(const uint64_t* features, size_t count, bool second, uint64_t* levels) {
  constexpr size_t kChunk = kChunkVectors * kSliceLanes;
  for (; count > 0;) {
    const size_t now = count < kChunk ? count : kChunk;
    second ? count_chunk<true>(features, now, levels) : count_chunk<false>(features, now, levels);
    features += now;
    count -= now;
  }
}

}  // namespace
