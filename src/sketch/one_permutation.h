// One-permutation MinHash, "minhash_v2" (Li, Owen, Zhang 2012): one hash per feature instead of one per feature and lane.
// docs/recipe.md defines it to the bit.
//
// A feature falls into one of `lanes` bins and has a value of 32 bits there; a lane is the least value of its bin. A lane whose bin is
// empty is that of minhash.h: the minimum over all features of the lane's own hash. Bin i is empty in the union of two sets or it is not,
// and either way the lanes agree with the probability of the Jaccard similarity, since features are hashes. Lanes with a feature in their
// bin are drawn without replacement, the others are independent; so the number of equal lanes never spreads wider than that of independent
// lanes. Densification that copies lanes of occupied bins (Shrivastava 2017) spreads wider for few features: docs/adr/0044.
//
// An empty set gives all ones. A text takes as many steps as it has features, and features times empty bins as minhash.h does; with more
// than about lanes * ln(lanes) features no bin is empty. Features that were made to fall into one bin cost what they cost in minhash.h.
// Fewer lanes are not a prefix of more.
//
// Immutable; shared by threads. noexcept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace neardup {

class OnePermutationHasher {
 public:
  /// Requires 1 <= lanes <= limits::kMaxLanes.
  OnePermutationHasher(uint32_t lanes, uint64_t seed);

  [[nodiscard]] uint32_t lanes() const noexcept { return lanes_; }
  /// `features` may repeat and come in any order. Requires signature.size() == lanes().
  void sketch(std::span<const uint64_t> features, std::span<uint32_t> signature) const noexcept;

 private:
  // Sets the lanes of the `empty` bins that have no value in `least`.
  void fill(std::span<const uint64_t> features, const uint64_t* least, uint32_t empty, std::span<uint32_t> signature) const noexcept;

  uint32_t lanes_;
  uint64_t key_;                   // combined with every feature
  std::vector<uint32_t> offsets_;  // of the lanes of empty bins, see minhash.h; padded
};

/// The slow twin: the definition, lane by lane.
void one_permutation_reference(std::span<const uint64_t> features, uint64_t seed, std::span<uint32_t> signature) noexcept;

}  // namespace neardup
