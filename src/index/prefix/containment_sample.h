// ContainmentSample: the part of a set by which a search by index looks for its containers.
//
// A feature is a hash, so the features with the smallest hashes are a random sample of the set (bottom-k sample), and a container has about
// the same share of the sample as of the set. The search finds a container if it has `common` features of the sample. Of a set without
// more features than the sample, and of a set so small that no container can lack more of the sample, nothing is missed; of a larger one,
// a container at exactly the threshold is missed with a probability of at most kMissProbability.
#pragma once

#include <cstdint>

#include "neardup/tools/threshold.h"

namespace neardup {

struct ContainmentSample {
  /// Planned at the threshold itself. Of a container above it, the probability is much smaller.
  static constexpr double kMissProbability = 1e-6;
  /// Features of a sample, unless a low threshold needs more: 32 keep the index small and reject nearly all false candidates.
  static constexpr uint32_t kFeatures = 32;

  uint32_t features = 0;  ///< 0: the sample is the whole set, and nothing is missed
  uint32_t common = 0;    ///< features of the sample that a container that is found has; at least 1 if `features` is not 0

  /// The sample for a threshold.
  static ContainmentSample plan(Threshold threshold) noexcept;

  [[nodiscard]] bool all() const noexcept { return features == 0; }
  /// The size of the sample of a set of `size` features.
  [[nodiscard]] uint32_t size_of(uint32_t size) const noexcept { return all() || size < features ? size : features; }
  /// How many features of its sample a container of the set must have. Requires a set that is not empty.
  [[nodiscard]] uint64_t required(uint32_t size, Threshold threshold) const noexcept;

  /// Of a set with at most this many features, no container is missed; the maximum of the type if that holds for every size.
  [[nodiscard]] uint32_t certain_up_to(Threshold threshold) const noexcept;
  /// The highest probability that a container at exactly the threshold is missed: that of a set without end.
  [[nodiscard]] double miss_probability(Threshold threshold) const noexcept;
};

}  // namespace neardup
