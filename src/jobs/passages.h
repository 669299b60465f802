// Passages: the longest runs of shingles that two texts have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace neardup {

struct Passage {
  size_t begin;     ///< first shingle in a
  size_t shingles;  ///< at least 1
};

/// The `max_passages` longest runs of `a` that also occur in `b`, longest first, ties by their place in `a`, not overlapping in `a`. The
/// sequences are shingle hashes in text order. Exact; linear time and memory (about 150 bytes per shingle of `b`).
std::vector<Passage> longest_common_passages(std::span<const uint64_t> a, std::span<const uint64_t> b, size_t max_passages);

}  // namespace neardup
