// FeatureLookup: a feature set that many smaller ones are compared with: a look-up takes constant time, because features are uniform
// hashes.
//
// Correct for any values. Refers to the set; one thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "features/feature_set.h"

namespace neardup {

class FeatureLookup {
 public:
  /// Replaces the set.
  void assign(std::span<const uint64_t> set) {
    set_ = set;
    begin_.clear();
  }

  /// The number of features that `other` has in common with the set if that is at least `required`; otherwise any value below it.
  [[nodiscard]] uint32_t count_common_at_least(std::span<const uint64_t> other, uint64_t required) {
    if (other.size() * kMuchLarger > set_.size()) return neardup::count_common_at_least(other, set_, required);
    if (begin_.empty()) index();
    // Another set usually lacks most features, so a few of its features settle it.
    if (other.size() < required) return 0;
    size_t lacking = other.size() - required;
    uint32_t common = 0;
    for (const uint64_t feature : other) {
      if (has(feature)) {
        ++common;
      } else if (lacking-- == 0) {
        break;
      }
    }
    return common;
  }

 private:
  static constexpr size_t kMuchLarger = 8;  // below, reading both sets side by side is as fast

  // One bucket for each feature on average, by its top bits.
  void index() {
    const auto bits = static_cast<uint32_t>(std::bit_width(set_.size()));
    shift_ = 64 - bits;
    begin_.assign((size_t{1} << bits) + 1, 0);
    for (const uint64_t feature : set_) ++begin_[(feature >> shift_) + 1];
    for (size_t bucket = 1; bucket < begin_.size(); ++bucket) begin_[bucket] += begin_[bucket - 1];
  }
  [[nodiscard]] bool has(uint64_t feature) const {
    const size_t bucket = feature >> shift_;
    return std::binary_search(set_.begin() + begin_[bucket], set_.begin() + begin_[bucket + 1], feature);
  }

  std::span<const uint64_t> set_;
  std::vector<uint32_t> begin_;  // of each bucket; empty: not made yet
  uint32_t shift_ = 63;
};

}  // namespace neardup
