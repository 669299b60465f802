// UnionFind: sets of documents, joined by any number of threads at once. The root of a set is its smallest member, whatever the
// order of the joins, so the outcome does not depend on threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <numeric>
#include <vector>

namespace neardup {

class UnionFind {
 public:
  explicit UnionFind(uint32_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0u); }

  /// Lock-free; may run concurrently with unite().
  uint32_t root(uint32_t x) noexcept {
    for (uint32_t up = load(x); up != x; up = load(x)) {
      const uint32_t above = load(up);
      // Path halving; a lost race loses only the shortcut.
      if (above != up) std::atomic_ref(parent_[x]).compare_exchange_weak(up, above, std::memory_order_relaxed);
      x = above;
    }
    return x;
  }

  /// Returns true if the two were in different sets. A root is only ever linked below a smaller one, so there are no cycles.
  bool unite(uint32_t a, uint32_t b) noexcept {
    for (;;) {
      a = root(a);
      b = root(b);
      if (a == b) return false;
      if (a > b) std::swap(a, b);
      uint32_t expected = b;
      if (std::atomic_ref(parent_[b]).compare_exchange_strong(expected, a, std::memory_order_acq_rel)) return true;
    }
  }

  [[nodiscard]] uint32_t size() const noexcept { return static_cast<uint32_t>(parent_.size()); }

 private:
  uint32_t load(uint32_t x) noexcept { return std::atomic_ref(parent_[x]).load(std::memory_order_relaxed); }

  std::vector<uint32_t> parent_;
};

}  // namespace neardup
