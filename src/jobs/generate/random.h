// Random: random numbers that are the same on every machine, which std:: distributions do not promise.
//
// SplitMix64. Not for concurrent use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace neardup::generate_detail {

class Random {
 public:
  explicit Random(uint64_t seed) noexcept : seed_(seed) {}

  uint64_t next() noexcept { return splitmix64(seed_, count_++); }

  /// Uniform in [0, bound). Requires bound > 0.
  uint64_t below(uint64_t bound) noexcept {
    // The first 2^64 mod bound values would favour small remainders.
    const uint64_t unfair = (uint64_t{0} - bound) % bound;
    for (;;) {
      const uint64_t value = next();
      if (value >= unfair) return value % bound;
    }
  }

  /// `count` different numbers below `bound`, ascending, each set of them equally likely. Requires count <= bound.
  std::vector<size_t> choose(size_t count, size_t bound) {
    std::vector<size_t> chosen;
    chosen.reserve(count);
    for (size_t i = 0; chosen.size() < count; ++i) {
      if (below(bound - i) < count - chosen.size()) chosen.push_back(i);
    }
    return chosen;
  }

  /// Every order equally likely.
  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  /// A random permutation that is one cycle (Sattolo): no item keeps its place. Requires at least two items.
  template <typename T>
  void rotate(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i - 1)]);
  }

 private:
  uint64_t seed_;
  uint64_t count_ = 0;
};

}  // namespace neardup::generate_detail
