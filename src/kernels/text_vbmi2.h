// The text loops of text_impl.h for processors with AVX-512 VBMI2: one compress instruction closes the gaps of a 64-byte block, so no
// branch depends on the positions of words and white space.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"

namespace {

using neardup::kernels::Folded;
using neardup::kernels::WordRuns;

constexpr size_t kBlock = 64;

struct Block {
  __m512i bytes;
  uint64_t live;  // bits of the bytes before the first one that is not ASCII, or the end
};

uint64_t low_bits(size_t count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

__m512i all(int byte) {
  return _mm512_set1_epi8(static_cast<char>(byte));
}

// The bytes that lie in [first, first + count).
uint64_t between(__m512i bytes, int first, int count) {
  return _mm512_cmplt_epu8_mask(_mm512_sub_epi8(bytes, all(first)), all(count));
}

Block load(const char* in, size_t left) {
  const uint64_t there = low_bits(left);
  const __m512i bytes = _mm512_maskz_loadu_epi8(there, in);
  const uint64_t wide = _mm512_movepi8_mask(bytes);
  return {bytes, there & (wide - 1) & ~wide};  // wide - 1 is all ones below the lowest one, or everywhere if there is none
}

uint32_t count_ones(uint64_t mask) {
  return static_cast<uint32_t>(__builtin_popcountll(mask));
}

// Writes base + i for every bit i of the mask, 16 at a time; may write beyond the last one. Returns their number.
uint32_t write_positions(uint64_t mask, uint32_t base, uint32_t* to) {
  const __m512i iota = _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39,
                                       38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14,
                                       13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i found = _mm512_maskz_compress_epi8(mask, iota);
  const __m512i first = _mm512_set1_epi32(static_cast<int>(base));
  const uint32_t count = count_ones(mask);
  const auto put = [&](__m128i sixteen, uint32_t at) {
    _mm512_storeu_si512(to + at, _mm512_add_epi32(_mm512_cvtepu8_epi32(sixteen), first));
  };
  put(_mm512_castsi512_si128(found), 0);
  if (count > 16) put(_mm512_extracti32x4_epi32(found, 1), 16);
  if (count > 32) {
    put(_mm512_extracti32x4_epi32(found, 2), 32);
    put(_mm512_extracti32x4_epi32(found, 3), 48);
  }
  return count;
}

Folded fold_ascii_impl(const char* in, size_t size, char* out, bool previous_white) {
  uint64_t before = previous_white;
  size_t written = 0;
  for (size_t at = 0; at < size; at += kBlock) {
    const Block block = load(in + at, size - at);
    const uint64_t white = between(block.bytes, 9, 5) | between(block.bytes, 28, 5);
    const uint64_t upper = between(block.bytes, 'A', 26);
    const __m512i lower = _mm512_mask_add_epi8(block.bytes, upper, block.bytes, all(32));
    const uint64_t keep = block.live & ~(white & (white << 1 | before));
    _mm512_storeu_si512(out + written, _mm512_maskz_compress_epi8(keep, _mm512_mask_mov_epi8(lower, white, all(' '))));
    written += count_ones(keep);
    if (block.live != ~uint64_t{0}) return {at + count_ones(block.live), written};
    before = white >> 63;
  }
  return {size, written};
}

WordRuns ascii_words_impl(const char* in, size_t size, char* joined, uint32_t at, uint32_t* starts) {
  uint64_t before = 0;
  uint32_t tokens = 0;
  size_t read = size;
  for (size_t from = 0; from < size; from += kBlock) {
    const Block block = load(in + from, size - from);
    const __m512i lower = _mm512_or_si512(block.bytes, all(32));
    const uint64_t word = (between(block.bytes, '0', 10) | between(lower, 'a', 26)) & block.live;
    const uint64_t after = word << 1 | before;
    // A run of ones and the separator after it are one piece of the joined text.
    const uint64_t keep = (word | after) & block.live;
    _mm512_storeu_si512(joined + at, _mm512_maskz_compress_epi8(keep, _mm512_mask_mov_epi8(all(' '), word, block.bytes)));
    tokens += write_positions(_pext_u64(word & ~after, keep), at, starts + tokens);
    at += count_ones(keep);
    before = word >> 63;
    if (block.live != ~uint64_t{0}) {
      const uint32_t live = count_ones(block.live);
      if (live > 0)
        before = word >> (live - 1) & 1;
      else
        before = after & 1;
      read = from + live;
      break;
    }
  }
  if (before == 0) return {read, tokens, at};
  if (read == size) {
    joined[at++] = ' ';
    return {read, tokens, at};
  }
  // The last token is next to a byte that is not ASCII and may continue: it is dropped.
  --tokens;
  return {read - (at - starts[tokens]), tokens, starts[tokens]};
}

size_t code_point_starts_impl(const char* text, size_t size, uint32_t* starts) {
  size_t count = 0;
  for (size_t from = 0; from < size; from += kBlock) {
    const uint64_t there = low_bits(size - from);
    const __m512i bytes = _mm512_maskz_loadu_epi8(there, text + from);
    const uint64_t start = _mm512_cmpgt_epi8_mask(bytes, all(-65)) & there;  // 0x80 to 0xBF, as signed numbers, are at most -65
    count += write_positions(start, static_cast<uint32_t>(from), starts + count);
  }
  return count;
}

}  // namespace
