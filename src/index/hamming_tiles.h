// CodeTiles: a group of codes laid out for the Hamming kernel, and all pairs of it within a radius.
//
// load() and join() of one object may not run at once; join() of disjoint strips may run in several threads.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "index/hamming_groups.h"
#include "kernels/kernels.h"

namespace neardup {

/// Groups from this size on are worked through by all threads, a strip of codes each.
inline constexpr size_t kLargeCodeGroup = 8192;
inline constexpr size_t kCodeStrip = 256;

template <typename Code>
class CodeTiles {
 public:
  /// Refers to the group until the next load().
  void load(CodeGroup<Code> group) {
    group_ = group;
    if (group.size() < kSmall) return;
    const size_t padded = group.size() + kernels::kCodeBlock;  // blocks begin anywhere
    low_.resize(padded);
    for (size_t i = 0; i < group.size(); ++i) low_[i] = group[i].code.low;
    if constexpr (Code::kBits == 128) {
      high_.resize(padded);
      for (size_t i = 0; i < group.size(); ++i) high_[i] = group[i].code.high;
    }
  }

  /// Calls found(a, b) once for every pair within the radius whose first code is in [begin, end).
  template <typename Found>
  void join(size_t begin, size_t end, uint32_t radius, const Found& found) const {
    if (group_.size() < kSmall) {
      for (size_t i = begin; i < end; ++i) {
        for (size_t j = i + 1; j < group_.size(); ++j) {
          if (hamming_distance(group_[i].code, group_[j].code) <= radius) found(group_[i], group_[j]);
        }
      }
      return;
    }
    const auto near = kernels::kernels().hamming_near;
    for (size_t tile = begin; tile < group_.size(); tile += kTile) {  // stays in the cache while the strip goes over it
      const size_t tile_end = std::min(group_.size(), tile + kTile);
      for (size_t i = begin; i < end; ++i) {
        const uint64_t high_word = high_.empty() ? 0 : high_[i];
        for (size_t j = std::max(tile, i + 1); j < tile_end; j += kernels::kCodeBlock) {
          uint64_t bits = near(low_.data() + j, high_.empty() ? nullptr : high_.data() + j, low_[i], high_word, radius);
          if (tile_end - j < kernels::kCodeBlock) bits &= (uint64_t{1} << (tile_end - j)) - 1;
          for (; bits != 0; bits &= bits - 1) found(group_[i], group_[j + static_cast<size_t>(std::countr_zero(bits))]);
        }
      }
    }
  }

 private:
  static constexpr size_t kSmall = 12;  // not worth the copy
  static constexpr size_t kTile = 1024;

  CodeGroup<Code> group_;
  std::vector<uint64_t> low_;
  std::vector<uint64_t> high_;  // empty for 64-bit codes
};

}  // namespace neardup
