// CodeWord: a fingerprint as one unsigned integer, its parts in tables, and the bit patterns that queries flip.
//
// A table of a block [begin, begin + width) splits a word into its prefix (the bits of the block) and its remainder (the other bits, closed
// up). The key of a word in that table is the prefix above the remainder: sorting by keys sorts by buckets.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "neardup/fingerprint.h"
#include "neardup/tools/hamming_plan.h"

namespace neardup {

__extension__ using Uint128 = unsigned __int128;

template <typename Code>
using CodeWord = std::conditional_t<Code::kBits == 64, uint64_t, Uint128>;

constexpr uint64_t word_of(Fingerprint64 code) noexcept {
  return code.low;
}
constexpr Uint128 word_of(Fingerprint128 code) noexcept {
  return Uint128{code.high} << 64 | code.low;
}
constexpr Fingerprint64 code_of(uint64_t word) noexcept {
  return {word};
}
constexpr Fingerprint128 code_of(Uint128 word) noexcept {
  return {static_cast<uint64_t>(word >> 64), static_cast<uint64_t>(word)};
}

constexpr uint32_t bit_count(uint64_t word) noexcept {
  return static_cast<uint32_t>(std::popcount(word));
}
constexpr uint32_t bit_count(Uint128 word) noexcept {
  return bit_count(static_cast<uint64_t>(word)) + bit_count(static_cast<uint64_t>(word >> 64));
}

/// The lowest `bits` bits; all of them when `bits` is the width of the word or more.
template <typename Word>
constexpr Word low_mask(uint32_t bits) noexcept {
  return bits >= 8 * sizeof(Word) ? ~Word{0} : (Word{1} << bits) - 1;
}

/// Shifts, also by the whole width.
template <typename Word>
constexpr Word shift_right(Word word, uint32_t bits) noexcept {
  return bits >= 8 * sizeof(Word) ? Word{0} : word >> bits;
}
template <typename Word>
constexpr Word shift_left(Word word, uint32_t bits) noexcept {
  return bits >= 8 * sizeof(Word) ? Word{0} : word << bits;
}

template <typename Word>
constexpr uint64_t prefix_of(Word word, const HammingBlock& block) noexcept {
  return static_cast<uint64_t>(word >> block.begin) & low_mask<uint64_t>(block.width);
}
template <typename Word>
constexpr Word remainder_of(Word word, const HammingBlock& block) noexcept {
  return (word & low_mask<Word>(block.begin)) | shift_left(shift_right(word, block.begin + block.width), block.begin);
}
template <typename Word>
constexpr Word join_parts(uint64_t prefix, Word remainder, const HammingBlock& block) noexcept {
  const Word above = shift_left(shift_right(remainder, block.begin), block.begin + block.width);
  return above | Word{prefix} << block.begin | (remainder & low_mask<Word>(block.begin));
}

template <typename Word>
constexpr uint32_t remainder_bits(const HammingBlock& block) noexcept {
  return static_cast<uint32_t>(8 * sizeof(Word)) - block.width;
}
template <typename Word>
constexpr uint32_t remainder_bytes(const HammingBlock& block) noexcept {
  return (remainder_bits<Word>(block) + 7) / 8;
}
template <typename Word>
constexpr Word key_of(Word word, const HammingBlock& block) noexcept {
  return shift_left(Word{prefix_of(word, block)}, remainder_bits<Word>(block)) | remainder_of(word, block);
}

/// Calls visit(pattern) for all values of `width` bits with exactly `ones` bits set, ascending. Requires width and ones <= 63.
template <typename Visit>
void for_each_pattern(uint32_t width, uint32_t ones, const Visit& visit) {
  const uint64_t end = uint64_t{1} << width;
  uint64_t pattern = (uint64_t{1} << ones) - 1;
  while (pattern < end) {
    visit(pattern);
    if (pattern == 0) return;
    // The next value with the same number of ones: the lowest run of ones carries one bit up, and the rest of the run moves to the bottom.
    const uint64_t lowest = pattern & (~pattern + 1);
    const uint64_t ripple = pattern + lowest;
    pattern = ripple | ((pattern ^ ripple) >> 2) >> std::countr_zero(lowest);
  }
}

}  // namespace neardup
