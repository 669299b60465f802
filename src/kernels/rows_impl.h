// Rows of a signature, compiled once per instruction set: four bits of each lane. See kernels.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"
#include "kernels/lanes.h"

namespace {

// Two lanes in one word, so that the pair becomes a byte by one shift.
constexpr size_t kPairsPerVector = kLanesPerVector / 2;
using RowPairs = uint64_t __attribute__((vector_size(NEARDUP_VECTOR_BYTES)));
using PairBytes = uint8_t __attribute__((vector_size(kPairsPerVector)));

void lane_nibbles_impl(const uint32_t* lanes, size_t count, uint32_t factor, uint8_t* nibbles) {
  constexpr bool kLowFirst = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
  for (size_t lane = 0; lane < count; lane += 2 * kPairsPerVector) {
    Lanes values;
    __builtin_memcpy(&values, lanes + lane, sizeof values);
    const auto pairs = reinterpret_cast<RowPairs>((values * factor) >> 28);
    const RowPairs joined = kLowFirst ? pairs | pairs >> 28 : pairs >> 32 | pairs << 4;
    const PairBytes bytes = __builtin_convertvector(joined, PairBytes);
    __builtin_memcpy(nibbles + lane / 2, &bytes, sizeof bytes);
  }
}

}  // namespace
