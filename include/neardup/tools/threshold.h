// Threshold and Similarity: exact fractions, compared in integers.
//
// A threshold is a decimal fraction with at most six places, held as millionths, so that "at least 0.8" means the same on
// every machine. Similarities stay two integers until they are printed.
#pragma once

#include <cstdint>
#include <string_view>

namespace neardup {

/// The overlap of two feature sets. `common <= min(size_a, size_b)`; sizes are below 2^32.
struct Overlap {
  uint32_t common = 0;
  uint32_t size_a = 0;
  uint32_t size_b = 0;

  [[nodiscard]] uint64_t union_size() const noexcept { return uint64_t{size_a} + size_b - common; }
  /// |A n B| / |A u B|; two empty sets are equal: 1.
  [[nodiscard]] double jaccard() const noexcept {
    return union_size() == 0 ? 1.0 : static_cast<double>(common) / static_cast<double>(union_size());
  }
};

/// A fraction in [0, 1] in steps of one millionth.
class Threshold {
 public:
  static constexpr uint64_t kOne = 1'000'000;

  /// options.threshold = 0.8: rounded to the nearest millionth. Throws Error{kUsage} unless that is in (0, 1].
  Threshold(double value);  // NOLINT(google-explicit-constructor): a number is what people write

  /// Parses "0.8", ".85", "1". Throws Error{kUsage} for anything else, for more than six decimals, and outside (0, 1].
  static Threshold parse(std::string_view text);
  /// Requires 1 <= millionths <= kOne.
  static constexpr Threshold from_millionths(uint32_t millionths) noexcept { return Threshold(Millionths{millionths}); }

  [[nodiscard]] constexpr uint32_t millionths() const noexcept { return millionths_; }
  [[nodiscard]] constexpr double value() const noexcept { return millionths_ / 1e6; }

  /// Inclusive: common / union >= threshold, without rounding.
  [[nodiscard]] bool met_by(const Overlap& overlap) const noexcept { return overlap.common * kOne >= overlap.union_size() * millionths_; }
  /// The minimum overlap that two sets of these sizes need: ceil(t / (1 + t) * (a + b)).
  [[nodiscard]] uint64_t required_overlap(uint64_t size_a, uint64_t size_b) const noexcept {
    const uint64_t denominator = kOne + millionths_;
    return ((size_a + size_b) * millionths_ + denominator - 1) / denominator;
  }
  /// The minimum size of a partner of a set of `size` features: ceil(t * size).
  [[nodiscard]] uint64_t min_partner_size(uint64_t size) const noexcept { return (size * millionths_ + kOne - 1) / kOne; }

 private:
  struct Millionths {
    uint32_t count;
  };
  explicit constexpr Threshold(Millionths millionths) noexcept : millionths_(millionths.count) {}
  uint32_t millionths_;
};

}  // namespace neardup
