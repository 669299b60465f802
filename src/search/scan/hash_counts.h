// HashCounts: how often hashes occur, about: hashes that share their top bits are counted together.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace neardup {

class HashCounts {
 public:
  /// For about n hashes.
  explicit HashCounts(size_t n) : shift_(64 - std::clamp(static_cast<int>(std::bit_width(n)), kMinBits, kMaxBits)) {
    counts_.resize(size_t{1} << (64 - shift_));
  }
  void add(uint64_t hash) noexcept { ++counts_[hash >> shift_]; }
  [[nodiscard]] uint32_t operator[](uint64_t hash) const noexcept { return counts_[hash >> shift_]; }

 private:
  static constexpr int kMinBits = 10;
  static constexpr int kMaxBits = 24;
  int shift_;
  std::vector<uint32_t> counts_;
};

}  // namespace neardup
