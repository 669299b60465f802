// MinHash (Broder 1997): the probability that two signatures agree in a lane is the Jaccard similarity of the feature sets.
//
// Lane i of a signature is min over all features x of lane_hash(x, offset_i), where
//   lane_hash(x, b) = ((x mod 2^32) xor b) * ((x div 2^32) or 1)   mod 2^32
//   offset_i        = SplitMix64(seed, i) div 2^32
// For a fixed feature, and a uniform offset, the hash is uniform (a bijection of the offset); features are XXH3 hashes, so both
// halves are uniform and independent. The statistical suite measures what follows from it. An empty set gives all ones.
//
// Immutable; shared by threads. noexcept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace neardup {

class MinHasher {
 public:
  /// Requires 1 <= lanes <= limits::kMaxLanes.
  MinHasher(uint32_t lanes, uint64_t seed);

  [[nodiscard]] uint32_t lanes() const noexcept { return lanes_; }
  /// `features` may repeat and come in any order. Requires signature.size() == lanes().
  void sketch(std::span<const uint64_t> features, std::span<uint32_t> signature) const noexcept;

 private:
  uint32_t lanes_;
  std::vector<uint32_t> offsets_;  // padded
};

/// offset_i of the definition above.
uint32_t minhash_offset(uint64_t seed, uint64_t lane) noexcept;

/// The offsets of lanes 0, 1, ...: `lanes`, and as many more as make a multiple of kernels::kLaneBlock, at most limits::kMaxLanes. The
/// kernels calculate whole blocks, whose surplus lanes are not used. Requires 1 <= lanes <= limits::kMaxLanes.
std::vector<uint32_t> padded_minhash_offsets(uint32_t lanes, uint64_t seed);

/// The slow twin: the definition above, lane by lane.
void minhash_reference(std::span<const uint64_t> features, uint64_t seed, std::span<uint32_t> signature) noexcept;

/// How many lanes agree. Requires equal sizes.
uint32_t equal_lanes(std::span<const uint32_t> a, std::span<const uint32_t> b) noexcept;

struct Interval {
  double low;
  double high;
};
/// The 95 % Wilson score interval (Wilson 1927) for `successes` of `trials`.
Interval wilson_95(uint32_t successes, uint32_t trials) noexcept;

}  // namespace neardup
