// MD5 of many short messages at once, compiled once per instruction set. The unit that includes this defines NEARDUP_VECTOR_BYTES.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/md5_rounds.h"

namespace {

using Md5Vector = uint32_t __attribute__((vector_size(NEARDUP_VECTOR_BYTES)));
constexpr size_t kMd5Width = NEARDUP_VECTOR_BYTES / sizeof(uint32_t);
constexpr size_t kMd5Chains = 2;
constexpr size_t kMd5Messages = 32;  // kernels::kMd5Lanes
constexpr size_t kMd5Planes = 6;     // words 0 to 4 of the block, then word 14

struct ShortBlocks {
  Md5Vector words[kMd5Chains][kMd5Planes];

  // Word kWord of the block plus a constant of the step.
  template <size_t kWord>
  [[gnu::always_inline]] Md5Vector at(size_t chain, uint32_t sine) const {
    if constexpr (kWord < 5) return words[chain][kWord] + sine;
    if constexpr (kWord == 14) return words[chain][5] + sine;
    return sine - Md5Vector{};  // the other words are 0
  }
};

void md5_short_impl(const uint32_t* words, uint32_t* digests) {
  for (size_t first = 0; first < kMd5Messages; first += kMd5Chains * kMd5Width) {
    ShortBlocks blocks;
    Md5Vector state[kMd5Chains][4];
    for (size_t chain = 0; chain < kMd5Chains; ++chain) {
      for (size_t plane = 0; plane < kMd5Planes; ++plane) {
        __builtin_memcpy(&blocks.words[chain][plane], words + plane * kMd5Messages + first + chain * kMd5Width, sizeof(Md5Vector));
      }
      for (size_t i = 0; i < 4; ++i) state[chain][i] = kMd5Start[i] - Md5Vector{};
    }
    md5_steps<0, kMd5Chains>(state, blocks);
    for (size_t chain = 0; chain < kMd5Chains; ++chain) {
      for (size_t i = 0; i < 4; ++i) {
        const Md5Vector word = state[chain][i] + kMd5Start[i];
        __builtin_memcpy(digests + i * kMd5Messages + first + chain * kMd5Width, &word, sizeof word);
      }
    }
  }
}

}  // namespace
