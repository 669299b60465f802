// The suffix array of a sequence of symbols, and the common prefixes of neighbours in it: what runs of a corpus occur more than once.
//
// Linear time: induced sorting (Nong, Zhang, Chan 2009) and the permuted comparison of Kasai et al. (2001). Pure. Both throw
// Error{kStopped} on stop (neardup/stop.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace neardup {

/// The places of `symbols` in the order of the suffixes that begin there; a suffix that ends is less than one that continues. Every symbol
/// is below `alphabet`. Requires fewer than 2^32 - 1 symbols.
std::vector<uint32_t> suffix_array(std::span<const uint32_t> symbols, uint32_t alphabet);

/// [i]: the length of the common prefix of the suffixes `suffixes[i - 1]` and `suffixes[i]`; [0] is 0. `ranks` becomes the inverse of
/// `suffixes`.
std::vector<uint32_t> common_prefixes(std::span<const uint32_t> symbols, std::span<const uint32_t> suffixes, std::vector<uint32_t>& ranks);

}  // namespace neardup
