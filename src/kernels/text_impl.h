// The text loops, compiled once per instruction set: plain loops over one 64-byte block that the compiler turns into vector
// compares, masks of one bit per byte, and copies of the runs between gaps. text_vbmi2.h has them for processors that close the
// gaps of a block in one instruction.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"

namespace {

using neardup::kernels::Folded;
using neardup::kernels::WordRuns;

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

uint64_t low_bits(size_t count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

size_t count_ones(uint64_t mask) {
  return static_cast<size_t>(__builtin_popcountll(mask));
}

size_t first_one(uint64_t mask) {
  return static_cast<size_t>(__builtin_ctzll(mask));
}

// The number of consecutive ones from bit 0.
size_t leading_run(uint64_t mask) {
  return mask == ~uint64_t{0} ? 64 : first_one(~mask);
}

// The block at `in`, or the rest of the text padded with zeros.
void load_block(const char* in, size_t left, uint8_t* block) {
  if (left >= kBlock) {
    __builtin_memcpy(block, in, kBlock);
  } else {
    __builtin_memset(block, 0, kBlock);
    __builtin_memcpy(block, in, left);
  }
}

// The bytes of the block whose bits are set, one after another; returns their number. Pieces are copied a whole block at a time:
// requires 2 * kBlock readable bytes, of which the second half is not used, and kBlock writable ones after the result.
size_t compress(const uint8_t* block, uint64_t keep, char* out) {
  size_t written = 0;
  while (keep != 0) {
    const size_t begin = first_one(keep);
    const size_t length = leading_run(keep >> begin);
    __builtin_memcpy(out + written, block + begin, kBlock);
    written += length;
    if (begin + length >= 64) break;
    keep &= ~low_bits(begin + length);
  }
  return written;
}

Folded fold_ascii_impl(const char* in, size_t size, char* out, bool previous_white) {
  uint64_t before = previous_white;
  size_t written = 0;
  for (size_t at = 0; at < size; at += kBlock) {
    uint8_t block[2 * kBlock];
    uint8_t is_white[kBlock];
    uint8_t is_wide[kBlock];
    load_block(in + at, size - at, block);
    for (size_t i = 0; i < kBlock; ++i) {
      const uint8_t c = block[i];
      // 9-13 and 28-32 are white space; as unsigned differences each is one comparison.
      const bool white = (static_cast<uint8_t>(c - 9) < 5) | (static_cast<uint8_t>(c - 28) < 5);
      const uint8_t lower = static_cast<uint8_t>(c | ((static_cast<uint8_t>(c - 'A') < 26) << 5));
      block[i] = white ? ' ' : lower;
      is_white[i] = white;
      is_wide[i] = c >> 7;
    }
    const uint64_t wide = pack_bits(is_wide);
    const uint64_t live = low_bits(size - at) & (wide == 0 ? ~uint64_t{0} : low_bits(first_one(wide)));
    const uint64_t white = pack_bits(is_white);
    const uint64_t keep = live & ~(white & (white << 1 | before));
    written += compress(block, keep, out + written);
    if (live != ~uint64_t{0}) return {at + count_ones(live), written};
    before = white >> 63;
  }
  return {size, written};
}

// Ends the loop of ascii_words: a token next to a byte that is not ASCII may continue, so it is dropped; one at the end of the text is
// complete.
WordRuns end_of_words(size_t read, size_t size, bool open, char* joined, uint32_t at, const uint32_t* starts, uint32_t tokens) {
  if (open && read < size) {
    --tokens;
    return {read - (at - starts[tokens]), tokens, starts[tokens]};
  }
  if (open) joined[at++] = ' ';
  return {read, tokens, at};
}

WordRuns ascii_words_impl(const char* in, size_t size, char* joined, uint32_t at, uint32_t* starts) {
  uint64_t before = 0;
  uint32_t tokens = 0;
  for (size_t from = 0; from < size; from += kBlock) {
    uint8_t block[2 * kBlock];
    uint8_t is_word[kBlock];
    uint8_t is_wide[kBlock];
    load_block(in + from, size - from, block);
    for (size_t i = 0; i < kBlock; ++i) {
      const uint8_t c = block[i];
      const uint8_t lower = c | 0x20;
      const bool in_word = (static_cast<uint8_t>(c - '0') < 10) | (static_cast<uint8_t>(lower - 'a') < 26);
      block[i] = in_word ? c : ' ';
      is_word[i] = in_word;
      is_wide[i] = c >> 7;
    }
    const uint64_t wide = pack_bits(is_wide);
    const uint64_t live = low_bits(size - from) & (wide == 0 ? ~uint64_t{0} : low_bits(first_one(wide)));
    const uint64_t word = pack_bits(is_word) & live;
    // A run of ones and the separator after it are one piece of the joined text.
    uint64_t keep = (word | (word << 1 | before)) & live;
    bool open = before != 0;
    while (keep != 0) {
      const size_t begin = first_one(keep);
      const size_t length = leading_run(word >> begin);
      if (length > 0) {  // else it is the separator of a token that ended with the last block
        if (begin > 0 || !open) starts[tokens++] = at;
        __builtin_memcpy(joined + at, block + begin, kBlock);
        at += static_cast<uint32_t>(length);
      }
      open = begin + length == 64;
      if (open) break;
      if ((live >> (begin + length) & 1) == 0) {  // the live part ends with the token
        open = true;
        break;
      }
      joined[at++] = ' ';
      keep &= ~low_bits(begin + length + 1);
    }
    if (live != ~uint64_t{0}) return end_of_words(from + count_ones(live), size, open, joined, at, starts, tokens);
    before = word >> 63;
  }
  return end_of_words(size, size, before != 0, joined, at, starts, tokens);
}

size_t code_point_starts_impl(const char* text, size_t size, uint32_t* starts) {
  size_t count = 0;
  for (size_t from = 0; from < size; from += kBlock) {
    uint8_t block[kBlock];
    uint8_t is_start[kBlock];
    load_block(text + from, size - from, block);
    for (size_t i = 0; i < kBlock; ++i) is_start[i] = (block[i] & 0xC0) != 0x80;
    uint64_t mask = pack_bits(is_start) & low_bits(size - from);
    const auto first = static_cast<uint32_t>(from);
    if (mask == ~uint64_t{0}) {
      for (uint32_t i = 0; i < kBlock; ++i) starts[count + i] = first + i;
      count += kBlock;
      continue;
    }
    for (; mask != 0; mask &= mask - 1) starts[count++] = first + static_cast<uint32_t>(first_one(mask));
  }
  return count;
}

}  // namespace
