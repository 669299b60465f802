// SHA-1 of many short messages at once, compiled once per instruction set. The unit that includes this defines NEARDUP_VECTOR_BYTES.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/sha1_rounds.h"
#ifdef __AVX512BW__
#include "kernels/sha1_avx512.h"
#endif

namespace {

using Sha1Vector = uint32_t __attribute__((vector_size(NEARDUP_VECTOR_BYTES)));
constexpr size_t kSha1Width = NEARDUP_VECTOR_BYTES / sizeof(uint32_t);
constexpr size_t kSha1Messages = 16;  // kernels::kSha1Lanes

#ifndef __AVX512BW__
// The padded block of one message: word i at words[i * kSha1Messages]. A byte 0x80 follows the message, then zeros and its length in bits.
void sha1_pad(const char* message, size_t size, uint32_t* words) {
  for (size_t i = 0; i < 15; ++i) {
    const size_t begin = 4 * i;
    uint32_t word = 0;
    if (begin + 4 <= size) {
      __builtin_memcpy(&word, message + begin, sizeof word);
      if constexpr (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) word = __builtin_bswap32(word);
    } else if (begin <= size) {
      for (size_t byte = begin; byte < size; ++byte)
        word |= uint32_t{static_cast<unsigned char>(message[byte])} << (24 - 8 * (byte - begin));
      word |= uint32_t{0x80} << (24 - 8 * (size - begin));
    }
    words[i * kSha1Messages] = word;
  }
  words[15 * kSha1Messages] = static_cast<uint32_t>(size * 8);
}

void sha1_pad_all(const char* const* messages, const uint8_t* sizes, uint32_t* words) {
  for (size_t i = 0; i < kSha1Messages; ++i) sha1_pad(messages[i], sizes[i], words + i);
}
#endif

void sha1_short_impl(const char* const* messages, const uint8_t* sizes, uint64_t* numbers) {
  uint32_t words[16 * kSha1Messages];
  sha1_pad_all(messages, sizes, words);
  for (size_t first = 0; first < kSha1Messages; first += kSha1Width) {
    Sha1Vector block[16];
    for (size_t i = 0; i < 16; ++i) __builtin_memcpy(&block[i], words + i * kSha1Messages + first, sizeof block[i]);
    Sha1Vector state[5];
    for (size_t i = 0; i < 5; ++i) state[i] = kSha1Start[i] - Sha1Vector{};  // scalar minus zero vector: a broadcast
    sha1_rounds<0>(state, block);
    const Sha1Vector low = state[0] + kSha1Start[0];
    const Sha1Vector high = state[1] + kSha1Start[1];
    for (size_t i = 0; i < kSha1Width; ++i) numbers[first + i] = uint64_t{__builtin_bswap32(high[i])} << 32 | __builtin_bswap32(low[i]);
  }
}

}  // namespace
