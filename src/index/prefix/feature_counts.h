// FeatureCounts: how many sets have a feature, in a table of at most kMaxBytes.
//
// Features that fall in one slot share a count, and counts end at kMany: any counts give a correct order, good ones give short lists. The
// table depends on the number of features alone, so what is compared does not depend on memory. FeatureFrequency is the one of the exact
// search by Jaccard similarity, with whole counts and four times the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace neardup {

/// add() may run in several threads; the counts do not depend on their order.
class FeatureCounts {
 public:
  static constexpr uint8_t kMany = 255;
  static constexpr uint64_t kMaxBytes = uint64_t{16} << 20;

  /// Reserves room for about this many features.
  explicit FeatureCounts(uint64_t total_features);

  void add(std::span<const uint64_t> features) noexcept;

  /// How many sets have the feature, at most kMany; more if others share its slot.
  [[nodiscard]] uint32_t count(uint64_t feature) const noexcept { return counts_[feature >> shift_]; }
  /// Replaces `rarest` by the `count` rarest features, rarest first (ties by value). Requires at least so many.
  void rarest(std::span<const uint64_t> features, uint64_t count, std::vector<uint64_t>& rarest) const;

 private:
  std::vector<uint8_t> counts_;
  uint32_t shift_;
};

}  // namespace neardup
