// RangeMinima: the smallest value of a range, and the nearest value below a bound, in a fixed array.
//
// A tree of minima of 64 values each: 1/63 of the array's memory, and a few hundred comparisons per question. Immutable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace neardup {

class RangeMinima {
 public:
  /// Keeps a view of the values. Called once.
  void assign(std::span<const uint32_t> values) {
    levels_.push_back(values);
    while (levels_.back().size() > kFan) {
      const std::span<const uint32_t> below = levels_.back();
      std::vector<uint32_t> minima((below.size() + kFan - 1) / kFan);
      for (size_t i = 0; i < minima.size(); ++i) {
        minima[i] = *std::min_element(below.begin() + static_cast<ptrdiff_t>(i * kFan),
                                      below.begin() + static_cast<ptrdiff_t>(std::min((i + 1) * kFan, below.size())));
      }
      owned_.push_back(std::move(minima));
      levels_.emplace_back(owned_.back());
    }
  }
  RangeMinima() = default;
  RangeMinima(const RangeMinima&) = delete;
  RangeMinima& operator=(const RangeMinima&) = delete;

  /// Where the smallest value of [begin, end) stands, of equal ones the first. Requires begin < end.
  [[nodiscard]] size_t smallest(size_t begin, size_t end) const {
    size_t best = begin;
    const auto look = [&](size_t level, size_t i) {
      if (levels_[level][i] < levels_[0][best]) best = descend(level, i);
    };
    // Up from both ends: what is left of [begin, end) on each level is whole nodes of it.
    for (size_t level = 0; begin < end; ++level) {
      const bool top = level + 1 == levels_.size();
      while (begin < end && (top || begin % kFan != 0)) look(level, begin++);
      while (begin < end && end % kFan != 0) look(level, --end);
      begin /= kFan;
      end /= kFan;
    }
    return best;
  }

  /// The last place below `end` with a value below `bound`, plus 1; 0 if there is none.
  [[nodiscard]] size_t after_last_below(size_t end, uint32_t bound) const {
    size_t level = 0;
    while (true) {
      for (; end > 0 && (end % kFan != 0 || level + 1 == levels_.size()); --end) {
        if (levels_[level][end - 1] < bound) return last_in(level, end - 1, bound) + 1;
      }
      if (end == 0) return 0;
      end /= kFan;
      ++level;
    }
  }

  /// The first place from `begin` on with a value below `bound`; the size of the array if there is none.
  [[nodiscard]] size_t first_below(size_t begin, uint32_t bound) const {
    size_t level = 0;
    while (true) {
      for (; begin < levels_[level].size() && (begin % kFan != 0 || level + 1 == levels_.size()); ++begin) {
        if (levels_[level][begin] < bound) return first_in(level, begin, bound);
      }
      if (begin >= levels_[level].size()) return levels_[0].size();
      begin /= kFan;
      ++level;
    }
  }

 private:
  static constexpr size_t kFan = 64;

  // The first place of the node's smallest value.
  [[nodiscard]] size_t descend(size_t level, size_t i) const {
    const uint32_t value = levels_[level][i];
    for (; level > 0; --level) {
      i *= kFan;
      while (levels_[level - 1][i] != value) ++i;
    }
    return i;
  }
  [[nodiscard]] size_t first_in(size_t level, size_t i, uint32_t bound) const {
    for (; level > 0; --level) {
      i *= kFan;
      while (levels_[level - 1][i] >= bound) ++i;
    }
    return i;
  }
  [[nodiscard]] size_t last_in(size_t level, size_t i, uint32_t bound) const {
    for (; level > 0; --level) {
      i = std::min((i + 1) * kFan, levels_[level - 1].size()) - 1;
      while (levels_[level - 1][i] >= bound) --i;
    }
    return i;
  }

  std::vector<std::vector<uint32_t>> owned_;
  std::vector<std::span<const uint32_t>> levels_;  // of the values themselves, and of the nodes above
};

}  // namespace neardup
