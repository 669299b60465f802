// What two feature sets have in common, compiled once per instruction set: a vector of one set is compared with all of a vector of the
// other, and the one whose last value is smaller gives way to the next. See kernels.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"

namespace {

constexpr size_t kSetLanes = NEARDUP_VECTOR_BYTES / sizeof(uint64_t);
using SetLanes = uint64_t __attribute__((vector_size(NEARDUP_VECTOR_BYTES)));
static_assert(kSetLanes == 4 || kSetLanes == 8);

SetLanes neighbours_swapped(SetLanes values) {
#if NEARDUP_VECTOR_BYTES == 64
  return __builtin_shufflevector(values, values, 1, 0, 3, 2, 5, 4, 7, 6);
#else
  return __builtin_shufflevector(values, values, 1, 0, 3, 2);
#endif
}

SetLanes rotated_by_two(SetLanes values) {
#if NEARDUP_VECTOR_BYTES == 64
  return __builtin_shufflevector(values, values, 2, 3, 4, 5, 6, 7, 0, 1);
#else
  return __builtin_shufflevector(values, values, 2, 3, 0, 1);
#endif
}

// Adds 1 to lanes of `found`, as often in all as the two vectors have a value in common. Rotations by two lanes are enough where the other
// vector has its neighbours swapped, too.
[[gnu::always_inline]] inline void add_equal(SetLanes a, SetLanes b, SetLanes& found) {
  const SetLanes swapped = neighbours_swapped(b);
  SetLanes equal{};
  SetLanes equal_swapped{};
#pragma GCC unroll 4
  for (size_t pair = 0; pair < kSetLanes / 2; ++pair) {
    equal |= a == b;
    equal_swapped |= a == swapped;
    a = rotated_by_two(a);
  }
  found -= equal + equal_swapped;  // equal is all ones, which is -1
}

uint64_t count_common_impl(neardup::kernels::SetScan& sets, uint64_t required) {
  constexpr size_t kStretch = 8;  // steps between checks of the bound
  uint64_t common = 0;
  for (;;) {
    const auto left_a = static_cast<size_t>(sets.a_end - sets.a);
    const auto left_b = static_cast<size_t>(sets.b_end - sets.b);
    const size_t left = left_a < left_b ? left_a : left_b;
    size_t steps = left / kSetLanes < kStretch ? left / kSetLanes : kStretch;
    if (steps == 0 || common + left < required) return common;
    SetLanes found{};
    for (; steps > 0; --steps) {
      SetLanes a;
      SetLanes b;
      __builtin_memcpy(&a, sets.a, sizeof a);
      __builtin_memcpy(&b, sets.b, sizeof b);
      add_equal(a, b, found);
      const uint64_t last_a = sets.a[kSetLanes - 1];
      const uint64_t last_b = sets.b[kSetLanes - 1];
      sets.a += last_a <= last_b ? kSetLanes : 0;
      sets.b += last_b <= last_a ? kSetLanes : 0;
    }
    for (size_t lane = 0; lane < kSetLanes; ++lane) common += found[lane];
  }
}

}  // namespace
