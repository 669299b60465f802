// The text masks, compiled once per instruction set. Plain loops over one 64-byte block: each fills an array of 0/1 bytes, which
// the compiler turns into vector compares, and packs it to one bit per byte.
#pragma once

#include <cstddef>
#include <cstdint>

namespace {

constexpr size_t kBlock = 64;

// Bit i of the result = flags[i]. Per 8 bytes one multiplication brings bit 8j to bit 56 + j, without carries.
uint64_t pack_bits(const uint8_t* flags) {
  uint64_t bits = 0;
  for (size_t i = 0; i < kBlock / 8; ++i) {
    uint64_t eight;
    __builtin_memcpy(&eight, flags + 8 * i, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    bits |= ((eight * 0x0102040810204080u) >> 56) << (8 * i);
  }
  return bits;
}

void fold_ascii_block_impl(const char* in, char* out, bool previous_white, uint64_t* special) {
  uint8_t bytes[kBlock];
  uint8_t is_white[kBlock];
  uint8_t is_wide[kBlock];
  for (size_t i = 0; i < kBlock; ++i) {
    const uint8_t c = static_cast<uint8_t>(in[i]);
    // 9-13 and 28-32 are white space; as unsigned differences each is one comparison.
    const bool white = (static_cast<uint8_t>(c - 9) < 5) | (static_cast<uint8_t>(c - 28) < 5);
    const uint8_t lower = static_cast<uint8_t>(c | ((static_cast<uint8_t>(c - 'A') < 26) << 5));
    bytes[i] = white ? ' ' : lower;
    is_white[i] = white;
    is_wide[i] = c >> 7;
  }
  __builtin_memcpy(out, bytes, kBlock);
  const uint64_t white = pack_bits(is_white);
  *special = pack_bits(is_wide) | (white & (white << 1 | uint64_t{previous_white}));
}

void word_masks_impl(const char* in, uint64_t* word, uint64_t* wide) {
  uint8_t is_word[kBlock];
  uint8_t is_wide[kBlock];
  for (size_t i = 0; i < kBlock; ++i) {
    const uint8_t c = static_cast<uint8_t>(in[i]);
    const uint8_t lower = c | 0x20;
    is_word[i] = static_cast<uint8_t>((static_cast<uint8_t>(c - '0') < 10) | (static_cast<uint8_t>(lower - 'a') < 26));
    is_wide[i] = c >> 7;
  }
  *word = pack_bits(is_word);
  *wide = pack_bits(is_wide);
}

}  // namespace
