// The first step of the jieba lattice (src/text/jieba/jieba_lattice.h): the words of one and of two characters at every position, and which
// positions may begin longer ones. Without branches that depend on the text: a misprediction would be detected only after a memory access.
// With 512-bit vectors, eight positions at a time by gathers; else one by one.
//
// Every gather has a mask and a register of zeros to start from: the plain ones, as compiled, depend on the previous contents of the
// register, so each would wait for the one before.
#pragma once

#if NEARDUP_VECTOR_BYTES == 64 && defined(__AVX512F__)
#include <immintrin.h>
#endif

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"

namespace {

using neardup::kernels::JiebaTrie;
using neardup::kernels::JiebaWords;

#if NEARDUP_VECTOR_BYTES == 64 && defined(__AVX512F__)

// Fields of a slot, see src/text/jieba/dictionary/jieba_format.h.
__m512i slot_bases(__m512i slots) {
  return _mm512_srli_epi64(slots, 40);
}

size_t jieba_words_impl(const JiebaTrie& trie, const uint16_t* codes, size_t size, const JiebaWords& out) {
  const __m512d none = _mm512_set1_pd(trie.none);
  const __m512d unknown = _mm512_set1_pd(trie.unknown);
  const __m256i iota = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i low = _mm256_set1_epi32(0xFFFF);
  size_t count = 0;
  for (size_t k = 0; k < size; k += 8) {
    const auto live = static_cast<__mmask8>(size - k >= 8 ? 0xFF : (1u << (size - k)) - 1);
    const __m256i here = _mm256_cvtepu16_epi32(_mm_maskz_loadu_epi16(live, codes + k));
    const __m256i next = _mm256_cvtepu16_epi32(_mm_maskz_loadu_epi16(live, codes + k + 1));
    const __m256i base = _mm256_mmask_i32gather_epi32(_mm256_setzero_si256(), live, here, trie.first_bases, 4);
    const __m256i node = _mm256_add_epi32(base, next);
    const __m256i label = _mm256_and_si256(_mm256_mmask_i32gather_epi32(_mm256_setzero_si256(), live, node, trie.labels, 2), low);
    const __mmask8 found = live & _mm256_cmpeq_epi32_mask(label, next);
    const __m512i slot = _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), found, node, trie.slots, 8);
    const __m512i value = _mm512_and_si512(_mm512_srli_epi64(slot, 16), _mm512_set1_epi64(0xFFFFFF));
    const __m512d weight = _mm512_mask_i64gather_pd(_mm512_setzero_pd(), found, value, trie.weights, 8);
    const __m512d pair = _mm512_mask_mov_pd(none, found, weight);
    const __m512d alone = _mm512_mask_i32gather_pd(_mm512_setzero_pd(), live, here, trie.first_weights, 8);
    const __mmask8 wordless = _mm512_cmp_pd_mask(_mm512_max_pd(alone, pair), none, _CMP_EQ_OQ);
    _mm512_storeu_pd(out.alone + k, _mm512_mask_mov_pd(alone, wordless, unknown));
    _mm512_storeu_pd(out.pairs + k, pair);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out.pair_nodes + k), _mm256_maskz_mov_epi32(found, node));
    const __mmask8 has_longer = found & _mm512_cmpneq_epi64_mask(slot_bases(slot), _mm512_set1_epi64(trie.no_children));
    const __m256i at = _mm256_add_epi32(iota, _mm256_set1_epi32(static_cast<int>(k)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out.prefixes + count), _mm256_maskz_compress_epi32(has_longer, at));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out.prefix_nodes + count),
                        _mm256_maskz_compress_epi32(has_longer, _mm512_cvtepi64_epi32(slot_bases(slot))));
    count += static_cast<size_t>(__builtin_popcount(has_longer));
  }
  // The third character decides about most of them.
  size_t longer = 0;
  for (size_t i = 0; i < count; i += 8) {
    const auto live = static_cast<__mmask8>(count - i >= 8 ? 0xFF : (1u << (count - i)) - 1);
    const __m256i at = _mm256_maskz_loadu_epi32(live, out.prefixes + i);
    const __m256i base = _mm256_maskz_loadu_epi32(live, out.prefix_nodes + i);
    const __m256i third = _mm256_and_si256(_mm256_mmask_i32gather_epi32(_mm256_setzero_si256(), live, at, codes + 2, 2), low);
    const __m256i node = _mm256_add_epi32(base, third);
    const __m256i label = _mm256_and_si256(_mm256_mmask_i32gather_epi32(_mm256_setzero_si256(), live, node, trie.labels, 2), low);
    const __mmask8 found = live & _mm256_cmpeq_epi32_mask(label, third);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out.prefixes + longer), _mm256_maskz_compress_epi32(found, at));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out.prefix_nodes + longer), _mm256_maskz_compress_epi32(found, node));
    longer += static_cast<size_t>(__builtin_popcount(found));
  }
  return longer;
}

#else

size_t jieba_words_impl(const JiebaTrie& trie, const uint16_t* codes, size_t size, const JiebaWords& out) {
  size_t count = 0;
  for (size_t k = 0; k < size; ++k) {
    const uint32_t next = codes[k + 1];
    const uint32_t node = trie.first_bases[codes[k]] + next;
    // Masks, because compilers make branches of choices here.
    const uint64_t slot = trie.slots[node];
    const uint32_t found = 0 - static_cast<uint32_t>((slot & 0xFFFF) == next);
    const uint32_t base = static_cast<uint32_t>(slot >> 40);
    const double pair = trie.weights[static_cast<uint32_t>(slot >> 16) & 0xFFFFFF & found];
    const double alone = trie.first_weights[codes[k]];
    const double best = alone > pair ? alone : pair;
    out.alone[k] = best == trie.none ? trie.unknown : alone;
    out.pairs[k] = pair;
    out.pair_nodes[k] = node & found;
    out.prefixes[count] = static_cast<uint32_t>(k);
    out.prefix_nodes[count] = base;
    count += found & static_cast<uint32_t>(base != trie.no_children);
  }
  // The third character decides about most of them.
  size_t longer = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t at = out.prefixes[i];
    const uint32_t third = codes[at + 2];
    const uint32_t node = out.prefix_nodes[i] + third;
    out.prefixes[longer] = at;
    out.prefix_nodes[longer] = node;
    longer += static_cast<size_t>(trie.labels[node] == third);
  }
  return longer;
}

#endif

}  // namespace
