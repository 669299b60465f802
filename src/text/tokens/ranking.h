// Ranking: the greatest of many weights, in order, for millions of short lists.
//
// Comparison sorts lose their time to branch mispredictions. Here nothing branches on a comparison: a histogram of the leading bits leaves
// little more than the wanted items, which are sorted by counting predecessors in groups of eight, and by merging. Exact: the order is that
// of a stable sort. Per thread; the buffers are kept.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace neardup {

class Ranking {
 public:
  struct Item {
    uint64_t key;
    uint32_t index;
  };
  /// A key that is smaller for a greater weight, and equal for equal ones (so for both zeros). Not for NaN.
  static constexpr uint64_t key_of(double weight) noexcept {
    const auto bits = std::bit_cast<uint64_t>(weight + 0.0);
    return bits >> 63 != 0 ? bits : ~bits & ~uint64_t{0} >> 1;
  }

  void clear(size_t max_items) {
    if (items_.size() < max_items + kGroup) items_.resize(2 * (max_items + kGroup));
    size_ = 0;
  }
  /// Appends an item if `wanted`. At most one more than clear() said may be offered.
  void offer(double weight, uint32_t index, bool wanted) noexcept {
    items_[size_] = {key_of(weight), index};
    size_ += static_cast<size_t>(wanted);
  }
  [[nodiscard]] size_t size() const noexcept { return size_; }
  /// The `top` items of the greatest weights (0: all), greatest first, of equal weights the one that came first. Ends a list begun by
  /// clear().
  std::span<const Item> take(size_t top);

 private:
  static constexpr size_t kGroup = 8;
  static constexpr size_t kBuckets = 512;

  void drop_excluded(size_t top);
  void sort();

  size_t size_ = 0;
  std::vector<Item> items_;
  std::vector<Item> other_;
  std::array<uint32_t, kBuckets> histogram_{};
};

}  // namespace neardup
