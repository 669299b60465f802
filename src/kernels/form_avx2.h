// The Unicode forms of Chinese text, 64 bytes at a time, for processors with AVX2: form_vbmi2.h with fewer of the rare code points.
//
// Taken are ASCII, U+2012-2016, U+2018-201F, U+3000-301F, U+3400-3FFF, U+4E00-9FFF and U+FF01-FF5E.
#pragma once

#include "kernels/kernels.h"

#ifndef __AVX2__

namespace {
constexpr decltype(neardup::kernels::Kernels::fold_chinese) fold_chinese_impl = nullptr;
}  // namespace

#else

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "kernels/form_masks.h"
#include "kernels/text_impl.h"

namespace {

// What a three-byte sequence may be: one bit each. The tables below have, for the halves of its bytes (the first one is E0-EF), what they
// allow; what it is, is what all allow.
enum : uint8_t {
  kHighHan = 1,    // E3 90-BF
  kFirstHan = 2,   // E4 B8-BF
  kOtherHan = 4,   // E5-E9
  kCjkMark = 8,    // E3 80 80-9F, with U+3000
  kWideLow = 16,   // EF BC, with U+FF00, which is not taken
  kWideHigh = 32,  // EF BD 80-9F, with U+FF5F, which is not taken
  kDash = 64,      // E2 80 92-96, 98-9F
};
constexpr int kHan = kHighHan | kFirstHan | kOtherHan;
constexpr int kFullWidth = kWideLow | kWideHigh;

struct alignas(16) HalfByteTable {
  uint8_t allowed[16];
};

constexpr HalfByteTable kFirstLow = {
    {0, 0, kDash, kHighHan | kCjkMark, kFirstHan, kOtherHan, kOtherHan, kOtherHan, kOtherHan, kOtherHan, 0, 0, 0, 0, 0, kFullWidth}};
constexpr HalfByteTable kSecondHigh = {
    {0, 0, 0, 0, 0, 0, 0, 0, kOtherHan | kCjkMark | kDash, kOtherHan | kHighHan, kOtherHan | kHighHan, kHan | kFullWidth, 0, 0, 0, 0}};
constexpr uint8_t kAnyLow = kHighHan | kOtherHan;
constexpr HalfByteTable kSecondLow = {{kAnyLow | kCjkMark | kDash, kAnyLow, kAnyLow, kAnyLow, kAnyLow, kAnyLow, kAnyLow, kAnyLow, kHan,
                                       kHan, kHan, kHan, kHan | kWideLow, kHan | kWideHigh, kHan, kHan}};
constexpr HalfByteTable kThirdHigh = {{0, 0, 0, 0, 0, 0, 0, 0, kHan | kFullWidth | kCjkMark, kHan | kFullWidth | kCjkMark | kDash,
                                       kHan | kWideLow, kHan | kWideLow, 0, 0, 0, 0}};
constexpr uint8_t kNoDash = kHan | kFullWidth | kCjkMark;
constexpr uint8_t kEveryKind = 0x7F;
constexpr HalfByteTable kThirdLow = {{kNoDash, kNoDash, kEveryKind, kEveryKind, kEveryKind, kEveryKind, kEveryKind, kNoDash, kEveryKind,
                                      kEveryKind, kEveryKind, kEveryKind, kEveryKind, kEveryKind, kEveryKind, kEveryKind}};

// By a mask of eight bytes: the places of those that are kept, in order.
struct EightTable {
  alignas(64) uint8_t places[256][8];
};

constexpr EightTable kept_places() {
  EightTable table{};
  for (int mask = 0; mask < 256; ++mask) {
    int count = 0;
    for (uint8_t place = 0; place < 8; ++place) {
      if ((mask >> place & 1) != 0) table.places[mask][count++] = place;
    }
  }
  return table;
}

constexpr EightTable kKeptPlaces = kept_places();

__m256i each(int byte) {
  return _mm256_set1_epi8(static_cast<char>(byte));
}

__m256i look_up(const HalfByteTable& table, __m256i halves) {
  return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(table.allowed))), halves);
}

uint64_t top_bits(__m256i bytes) {
  return static_cast<uint32_t>(_mm256_movemask_epi8(bytes));
}

// FF in the bytes that lie in [first, first + count).
__m256i lies_in(__m256i bytes, int first, int count) {
  const __m256i above = _mm256_sub_epi8(bytes, each(first));
  return _mm256_cmpeq_epi8(_mm256_min_epu8(above, each(count - 1)), above);
}

// The masks of 32 bytes, and what these become.
[[gnu::always_inline]] inline __m256i form_half(const char* in, FormMasks& masks) {
  const auto load = [](const char* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); };
  const __m256i bytes = load(in);
  const __m256i second = load(in + 1);
  const __m256i third = load(in + 2);
  const auto low = [](__m256i of) { return _mm256_and_si256(of, each(0x0F)); };
  const auto high = [](__m256i of) { return _mm256_and_si256(_mm256_srli_epi16(of, 4), each(0x0F)); };

  // The tables allow U+FF00 and U+FF5F too.
  const __m256i third_is_80 = _mm256_cmpeq_epi8(third, each(0x80));
  const __m256i third_is_9f = _mm256_cmpeq_epi8(third, each(0x9F));
  const __m256i not_taken = _mm256_or_si256(_mm256_and_si256(third_is_80, each(kWideLow)), _mm256_and_si256(third_is_9f, each(kWideHigh)));
  __m256i kinds = _mm256_and_si256(look_up(kFirstLow, low(bytes)), _mm256_cmpeq_epi8(high(bytes), each(0x0E)));
  kinds = _mm256_and_si256(kinds, _mm256_and_si256(look_up(kSecondHigh, high(second)), look_up(kSecondLow, low(second))));
  kinds = _mm256_and_si256(kinds, _mm256_and_si256(look_up(kThirdHigh, high(third)), look_up(kThirdLow, low(third))));
  kinds = _mm256_andnot_si256(not_taken, kinds);

  // Kinds are below 80, so that as signed numbers they compare as they are.
  const auto any_of = [&](int kind) { return _mm256_cmpgt_epi8(_mm256_and_si256(kinds, each(kind)), _mm256_setzero_si256()); };
  const __m256i wide_blank = _mm256_and_si256(any_of(kCjkMark), third_is_80);
  const __m256i full_width = any_of(kFullWidth);
  const __m256i white = _mm256_or_si256(lies_in(bytes, 9, 5), lies_in(bytes, 28, 5));
  const __m256i continued = _mm256_cmpgt_epi8(each(-64), bytes);  // as signed numbers, 80-BF are the lowest
  masks.leading = top_bits(_mm256_andnot_si256(continued, bytes));
  masks.continued = top_bits(continued);
  masks.of_three = top_bits(any_of(kEveryKind));
  masks.cjk = top_bits(_mm256_andnot_si256(wide_blank, any_of(kHan | kFullWidth | kCjkMark)));
  masks.full_width = top_bits(full_width);
  masks.wide_blank = top_bits(wide_blank);
  masks.ascii_white = top_bits(white);

  // The third byte of U+FF40-FF5E is 20 above ASCII, that of U+FF01-FF3F is 60 above.
  const __m256i above = _mm256_blendv_epi8(each(0x60), each(0x20), any_of(kWideHigh));
  __m256i made = _mm256_blendv_epi8(bytes, _mm256_sub_epi8(third, above), full_width);
  made = _mm256_add_epi8(made, _mm256_and_si256(lies_in(made, 'A', 26), each(0x20)));
  return _mm256_blendv_epi8(made, each(' '), _mm256_or_si256(white, wide_blank));
}

// Writes the bytes of 16 that are kept; returns where they end. Writes up to 8 bytes more.
[[gnu::always_inline]] inline char* keep_bytes(__m128i bytes, uint64_t keep, char* out) {
  for (int half = 0; half < 2; ++half) {
    const uint64_t mask = keep >> (8 * half) & 0xFF;
    const __m128i places = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kKeptPlaces.places[mask]));
    const __m128i eight = half == 0 ? bytes : _mm_unpackhi_epi64(bytes, bytes);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(eight, places));
    out += count_ones(mask);
  }
  return out;
}

// One block, of which two bytes more must be readable; `there` has the bits of bytes that are text. False: stopped.
[[gnu::always_inline]] inline bool form_block(const char* in, uint64_t there, FormState& state, char* out) {
  FormMasks low{};
  FormMasks high{};
  const __m256i first = form_half(in, low);
  const __m256i second = form_half(in + 32, high);
  const FormMasks masks = {.leading = low.leading | high.leading << 32,
                           .continued = low.continued | high.continued << 32,
                           .of_two = 0,
                           .of_three = low.of_three | high.of_three << 32,
                           .cjk = low.cjk | high.cjk << 32,
                           .full_width = low.full_width | high.full_width << 32,
                           .wide_blank = low.wide_blank | high.wide_blank << 32,
                           .ascii_white = low.ascii_white | high.ascii_white << 32};
  const FormPlan plan = plan_form(masks, there, state.after_cjk);
  if (plan.read == 0) return false;
  // Of a U+3000 that becomes a blank it is the first byte that did, not the last.
  const uint64_t last_of_blank = plan.keep & masks.wide_blank << 2;
  const uint64_t keep = (plan.keep ^ last_of_blank) | last_of_blank >> 2;
  char* to = out + state.written;
  to = keep_bytes(_mm256_castsi256_si128(first), keep, to);
  to = keep_bytes(_mm256_extracti128_si256(first, 1), keep >> 16, to);
  to = keep_bytes(_mm256_castsi256_si128(second), keep >> 32, to);
  to = keep_bytes(_mm256_extracti128_si256(second, 1), keep >> 48, to);
  state.read += plan.read;
  state.written = static_cast<size_t>(to - out);
  return plan.goes_on;
}

Folded fold_chinese_impl(const char* in, size_t size, char* out) {
  if (begins_white(in, size)) return {0, 0};
  FormState state;
  bool goes_on = true;
  while (goes_on && size - state.read >= kBlock + 2) goes_on = form_block(in + state.read, ~uint64_t{0}, state, out);
  while (goes_on && state.read < size) {
    const size_t left = size - state.read;
    char block[kBlock + 2] = {};
    __builtin_memcpy(block, in + state.read, left < sizeof(block) ? left : sizeof(block));
    goes_on = form_block(block, low_bits(left), state, out);
  }
  return {state.read, state.written};
}

}  // namespace

#endif
