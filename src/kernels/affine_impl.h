// The MinHash loops of the package datasketch, compiled once per instruction set. The unit that includes this defines
// NEARDUP_VECTOR_BYTES.
#pragma once

#include <cstddef>
#include <cstdint>

namespace {

using Words32 = uint32_t __attribute__((vector_size(NEARDUP_VECTOR_BYTES)));
using Words64 = uint64_t __attribute__((vector_size(NEARDUP_VECTOR_BYTES)));

// a h + b in the arithmetic of the words, which wraps.
template <typename Words>
struct AffineStep {
  using Vector = Words;
  [[gnu::always_inline]] static Vector apply(Vector a, Vector b, Vector h) { return a * h + b; }
};

// The low 32 bits of (a h + b mod 2^64) mod 2^61 - 1.
struct MersenneStep {
  using Vector = Words64;
  [[gnu::always_inline]] static Vector apply(Vector a, Vector b, Vector h) {
    constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;
    const Vector x = a * h + b;
    // 2^61 is 1 modulo the prime, so the top three bits are added to the others; the sum is below the prime plus 8. Adding its own carry
    // out of 61 bits (of the sum plus 1) subtracts the prime where that is needed.
    const Vector sum = (x & kPrime) + (x >> 61);
    return (sum + ((sum + 1) >> 61)) & uint64_t{0xFFFFFFFF};
  }
};

// One block of lanes for all hashes: its minima stay in registers while the hashes stream past. The arrays have any alignment.
template <typename Word, typename Step>
[[gnu::always_inline]] inline void permute_block(const Word* a, const Word* b, const Word* hashes, size_t count, Word* minima) {
  using Vector = typename Step::Vector;
  constexpr size_t kWidth = NEARDUP_VECTOR_BYTES / sizeof(Word);
  constexpr size_t kVectors = NEARDUP_VECTOR_BYTES == 64 ? 4 : 2;  // three registers each
  Vector factor[kVectors];
  Vector offset[kVectors];
  Vector minimum[kVectors];
  for (size_t v = 0; v < kVectors; ++v) {
    __builtin_memcpy(&factor[v], a + v * kWidth, sizeof(Vector));
    __builtin_memcpy(&offset[v], b + v * kWidth, sizeof(Vector));
    __builtin_memcpy(&minimum[v], minima + v * kWidth, sizeof(Vector));
  }
  for (size_t i = 0; i < count; ++i) {
    const Vector h = hashes[i] - Vector{};  // scalar minus zero vector: a broadcast
#pragma GCC unroll 4
    for (size_t v = 0; v < kVectors; ++v) {
      const Vector hash = Step::apply(factor[v], offset[v], h);
      minimum[v] = hash < minimum[v] ? hash : minimum[v];
    }
  }
  for (size_t v = 0; v < kVectors; ++v) __builtin_memcpy(minima + v * kWidth, &minimum[v], sizeof(Vector));
}

template <typename Word, typename Step>
[[gnu::always_inline]] inline void permute_lanes(const Word* a, const Word* b, const Word* hashes, size_t count, Word* minima,
                                                 size_t lanes) {
  constexpr size_t kBlock = NEARDUP_VECTOR_BYTES / sizeof(Word) * (NEARDUP_VECTOR_BYTES == 64 ? 4 : 2);  // divides kernels::kLaneBlock
  for (size_t lane = 0; lane < lanes; lane += kBlock) permute_block<Word, Step>(a + lane, b + lane, hashes, count, minima + lane);
}

void affine32_impl(const uint32_t* a, const uint32_t* b, const uint32_t* hashes, size_t count, uint32_t* minima, size_t lanes) {
  permute_lanes<uint32_t, AffineStep<Words32>>(a, b, hashes, count, minima, lanes);
}

void affine64_impl(const uint64_t* a, const uint64_t* b, const uint64_t* hashes, size_t count, uint64_t* minima, size_t lanes) {
  permute_lanes<uint64_t, AffineStep<Words64>>(a, b, hashes, count, minima, lanes);
}

void mersenne_impl(const uint64_t* a, const uint64_t* b, const uint64_t* hashes, size_t count, uint64_t* minima, size_t lanes) {
  permute_lanes<uint64_t, MersenneStep>(a, b, hashes, count, minima, lanes);
}

}  // namespace
