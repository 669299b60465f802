// Hamming distances of a query to packed remainders, compiled once per instruction set. See kernels.h.
#pragma once

#include "kernels/packed_scalar.h"

namespace {

size_t hamming_packed_impl(const neardup::kernels::PackedRun* runs, size_t count, bool wide, neardup::kernels::PackedMatch* matches) {
  return wide ? near_packed<true>(runs, count, matches) : near_packed<false>(runs, count, matches);
}

}  // namespace
