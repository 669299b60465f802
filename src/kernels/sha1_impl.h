// SHA-1 of many short messages at once, compiled once per instruction set. The unit that includes this defines NEARDUP_VECTOR_BYTES.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/sha1_rounds.h"

namespace {

using Sha1Vector = uint32_t __attribute__((vector_size(NEARDUP_VECTOR_BYTES)));
constexpr size_t kSha1Width = NEARDUP_VECTOR_BYTES / sizeof(uint32_t);
constexpr size_t kSha1Messages = 16;  // kernels::kSha1Lanes

void sha1_short_impl(const uint32_t* words, uint32_t* digests) {
  for (size_t first = 0; first < kSha1Messages; first += kSha1Width) {
    Sha1Vector block[16];
    for (size_t i = 0; i < 16; ++i) __builtin_memcpy(&block[i], words + i * kSha1Messages + first, sizeof block[i]);
    Sha1Vector state[5];
    for (size_t i = 0; i < 5; ++i) state[i] = kSha1Start[i] - Sha1Vector{};  // scalar minus zero vector: a broadcast
    sha1_rounds<0>(state, block);
    for (size_t i = 0; i < 2; ++i) {
      const Sha1Vector word = state[i] + kSha1Start[i];
      __builtin_memcpy(digests + i * kSha1Messages + first, &word, sizeof word);
    }
  }
}

}  // namespace
