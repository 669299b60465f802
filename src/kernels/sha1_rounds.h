// The 80 rounds of SHA-1 (FIPS 180-4) for a word type of the caller's: uint32_t for one message, a vector for many at once.
// Everything is forced inline or local to the unit, because units are compiled for different instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace {

constexpr uint32_t kSha1Start[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
constexpr uint32_t kSha1Constants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};

// The operations of a word type; a unit specializes them where its processor has better ones.
template <typename Word>
struct Sha1Word {
  template <uint32_t kShift>
  [[gnu::always_inline]] static Word rotate(Word x) {
    return (x << kShift) | (x >> (32 - kShift));
  }
  [[gnu::always_inline]] static Word choose(Word b, Word c, Word d) { return d ^ (b & (c ^ d)); }
  [[gnu::always_inline]] static Word majority(Word b, Word c, Word d) { return (b & c) | (d & (b | c)); }
  [[gnu::always_inline]] static Word parity(Word b, Word c, Word d) { return b ^ c ^ d; }
};

template <size_t kRound, typename Word>
[[gnu::always_inline]] inline Word sha1_mix(Word b, Word c, Word d) {
  if constexpr (kRound < 20) return Sha1Word<Word>::choose(b, c, d);
  if constexpr (kRound >= 40 && kRound < 60) return Sha1Word<Word>::majority(b, c, d);
  return Sha1Word<Word>::parity(b, c, d);
}

// The rounds from kRound on. `words` are the 16 words of the block; each is replaced by a later one of the message schedule once it was
// used.
template <size_t kRound, typename Word>
[[gnu::always_inline]] inline void sha1_rounds(Word* state, Word* words) {
  if constexpr (kRound < 80) {
    constexpr size_t kA = (80 - kRound) % 5;  // the roles of the five words rotate
    Word& word = words[kRound % 16];
    if constexpr (kRound >= 16) {
      const Word mixed = Sha1Word<Word>::parity(words[(kRound + 13) % 16], words[(kRound + 8) % 16], words[(kRound + 2) % 16]);
      word = Sha1Word<Word>::template rotate<1>(mixed ^ word);
    }
    Word& b = state[(kA + 1) % 5];
    Word& e = state[(kA + 4) % 5];
    // What does not depend on the previous round is added first.
    const Word early = e + word + kSha1Constants[kRound / 20] + sha1_mix<kRound, Word>(b, state[(kA + 2) % 5], state[(kA + 3) % 5]);
    e = early + Sha1Word<Word>::template rotate<5>(state[kA]);
    b = Sha1Word<Word>::template rotate<30>(b);
    sha1_rounds<kRound + 1>(state, words);
  }
}

}  // namespace
