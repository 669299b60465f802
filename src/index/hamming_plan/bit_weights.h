// BitWeights: how well single bits and blocks of bits distinguish codes: the input of the planner's formulas. Computed from the
// HammingStatistics of a sample. Immutable.
//
// Two codes agree in a bit that is set in the share p of them with probability p^2 + (1-p)^2, 1/2 at best. They agree in two bits with the
// product of both, times a factor for the correlation of the bits. A block is approximated by the product over its bits and pairs.
// Differences that are within the noise of a sample are dropped, so that uniform codes give uniform weights and keep their order of bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/tools/hamming_statistics.h"

namespace neardup {

class BitWeights {
 public:
  explicit BitWeights(const HammingStatistics& statistics);

  [[nodiscard]] uint32_t bits() const noexcept { return bits_; }
  /// All bits even and independent.
  [[nodiscard]] bool uniform() const noexcept { return agree_.empty(); }
  /// The probability that two codes agree in the bit.
  [[nodiscard]] double agree(uint32_t bit) const noexcept { return uniform() ? 0.5 : agree_[bit]; }
  /// At least 1: how much more often they agree in both bits than if these were independent.
  [[nodiscard]] double together(uint32_t a, uint32_t b) const noexcept { return uniform() ? 1.0 : together_[size_t{a} * bits_ + b]; }
  /// The probability that two codes differ in at most `flips` of the bits.
  [[nodiscard]] double reach(std::span<const uint8_t> block, uint32_t flips) const;

 private:
  uint32_t bits_;
  std::vector<double> agree_;
  std::vector<double> together_;
};

}  // namespace neardup
