// What two feature sets have in common, compiled once per instruction set: a vector of one set is compared with all of a vector of the
// other, and the one whose last value is smaller gives way to the next. See kernels.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/kernels.h"

namespace {

constexpr size_t kSetLanes = NEARDUP_VECTOR_BYTES / sizeof(uint64_t);
using SetLanes = uint64_t __attribute__((vector_size(NEARDUP_VECTOR_BYTES)));

template <size_t kBy, size_t... kLane>
SetLanes rotated(SetLanes values, std::index_sequence<kLane...> /*lanes*/) {
  return __builtin_shuffle(values, SetLanes{(kLane + kBy) % kSetLanes...});
}

template <size_t... kLane>
SetLanes neighbours_swapped(SetLanes values, std::index_sequence<kLane...> /*lanes*/) {
  return __builtin_shuffle(values, SetLanes{(kLane ^ 1)...});
}

// All ones in as many lanes of the two results together as there are equal values. Rotating by two lanes is enough where the other vector
// has its neighbours swapped, too.
template <size_t... kPair>
std::pair<SetLanes, SetLanes> equal_values(SetLanes a, SetLanes b, std::index_sequence<kPair...> /*pairs*/) {
  constexpr std::make_index_sequence<kSetLanes> kLanes;
  const SetLanes swapped = neighbours_swapped(b, kLanes);
  return {((rotated<2 * kPair>(a, kLanes) == b) | ...), ((rotated<2 * kPair>(a, kLanes) == swapped) | ...)};
}

uint64_t count_common_impl(neardup::kernels::SetScan& sets, uint64_t required) {
  constexpr size_t kStretch = 8;  // steps between checks of the bound
  uint64_t common = 0;
  for (;;) {
    const size_t left = std::min(sets.a_end - sets.a, sets.b_end - sets.b);
    size_t steps = std::min(kStretch, left / kSetLanes);
    if (steps == 0 || common + left < required) return common;
    SetLanes found{};
    for (; steps > 0; --steps) {
      SetLanes a;
      SetLanes b;
      __builtin_memcpy(&a, sets.a, sizeof a);
      __builtin_memcpy(&b, sets.b, sizeof b);
      const auto [equal, equal_swapped] = equal_values(a, b, std::make_index_sequence<kSetLanes / 2>());
      found -= reinterpret_cast<SetLanes>(equal);
      found -= reinterpret_cast<SetLanes>(equal_swapped);
      const uint64_t last_a = sets.a[kSetLanes - 1];
      const uint64_t last_b = sets.b[kSetLanes - 1];
      sets.a += last_a <= last_b ? kSetLanes : 0;
      sets.b += last_b <= last_a ? kSetLanes : 0;
    }
    for (size_t lane = 0; lane < kSetLanes; ++lane) common += found[lane];
  }
}

}  // namespace
