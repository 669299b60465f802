// hamming_connect: enough pairs of an index to connect all entries that chains of near pairs connect.
//
// Pairs every later entry of a code with the first one of that code, and the first entries of each pair of distinct codes within the
// radius. So the work grows with the entries and the pairs of distinct codes, never with the square of equal ones, as in
// HammingIndex::self_join.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "neardup/hamming_index.h"

namespace neardup {

/// Some thousands of pairs at a time; called from several threads at once, in no fixed order. In a pair a <= b. Their set depends on the
/// index and the radius only.
using TakeHammingPairs = std::function<void(std::span<const HammingPair> pairs)>;

/// Called from time to time, from several threads; an exception ends the search.
using CheckHammingStop = std::function<void()>;

/// Throws Error{kUsage} when the radius is larger than that of the index's plan. `threads` 0: all cores.
template <typename Code>
void hamming_connect(const HammingIndex<Code>& index, uint32_t radius, uint32_t threads, const TakeHammingPairs& take,
                     const CheckHammingStop& ask = {});

extern template void hamming_connect(const HammingIndex<Fingerprint64>&, uint32_t, uint32_t, const TakeHammingPairs&,
                                     const CheckHammingStop&);
extern template void hamming_connect(const HammingIndex<Fingerprint128>&, uint32_t, uint32_t, const TakeHammingPairs&,
                                     const CheckHammingStop&);

}  // namespace neardup
