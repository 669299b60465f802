// The 64 steps of MD5 (RFC 1321) for a word type of the caller's: uint32_t for one message, a vector for many at once.
// Everything is forced inline or local to the unit, because units are compiled for different instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace {

constexpr uint32_t kMd5Sines[64] = {  // floor(2^32 |sin(i + 1)|)
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1,
    0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453,
    0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942,
    0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05,
    0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d,
    0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
constexpr uint32_t kMd5Shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
constexpr uint32_t kMd5Start[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

template <size_t kStep, typename Word>
[[gnu::always_inline]] inline Word md5_choose(Word b, Word c, Word d) {
  if constexpr (kStep < 16) return d ^ (b & (c ^ d));
  if constexpr (kStep >= 16 && kStep < 32) return c ^ (d & (b ^ c));
  if constexpr (kStep >= 32 && kStep < 48) return b ^ c ^ d;
  if constexpr (kStep >= 48) return c ^ (b | ~d);
}

constexpr size_t md5_word_of(size_t step) {
  const size_t place[4] = {step, 5 * step + 1, 3 * step + 5, 7 * step};
  return place[step / 16] % 16;
}

// The steps from kStep on, for `kChains` independent messages (or vectors of them) in turn: one alone would wait for its own results.
// words(chain, i) is word i of the block; constants fold.
template <size_t kStep, size_t kChains, typename Word, typename Words>
[[gnu::always_inline]] inline void md5_steps(Word (*state)[4], const Words& words) {
  if constexpr (kStep < 64) {
    constexpr size_t kA = (64 - kStep) % 4;  // the roles of the four words rotate
    constexpr uint32_t kShift = kMd5Shifts[kStep / 16][kStep % 4];
    for (size_t chain = 0; chain < kChains; ++chain) {
      Word* const s = state[chain];
      Word sum = s[kA] + md5_choose<kStep>(s[(kA + 1) % 4], s[(kA + 2) % 4], s[(kA + 3) % 4]);
      sum += words.template at<md5_word_of(kStep)>(chain, kMd5Sines[kStep]);
      s[kA] = s[(kA + 1) % 4] + ((sum << kShift) | (sum >> (32 - kShift)));
    }
    md5_steps<kStep + 1, kChains>(state, words);
  }
}

}  // namespace
