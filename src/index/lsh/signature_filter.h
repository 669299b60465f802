// SignatureFilter: a second check of candidate pairs by four bits of every MinHash lane, before their texts are read again.
//
// Two documents of Jaccard similarity s agree in the four bits of a lane with probability s + (1 - s) / 16 (b-bit minwise hashing: Li and
// Koenig 2010). A pair that agrees in fewer lanes than a pair at the threshold does with probability 10^-6 is not a candidate. This adds at
// most 10^-6 to the miss probability and avoids reading most documents that share a band only by chance.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/tools/threshold.h"

namespace neardup {

class SignatureFilter {
 public:
  static constexpr double kMissProbability = 1e-6;

  SignatureFilter() = default;  ///< lets every pair pass
  SignatureFilter(uint32_t lanes, Threshold threshold);

  /// The bytes of one document's bits: half a byte a lane, rounded up to 8; 0 when the filter has no use.
  [[nodiscard]] size_t row_bytes() const noexcept { return row_bytes_; }
  /// The minimum number of agreeing lanes.
  [[nodiscard]] uint32_t min_agreement() const noexcept { return min_agreement_; }
  /// Appends the row of a signature.
  void append_row(std::span<const uint32_t> signature, std::vector<uint8_t>& rows) const;
  [[nodiscard]] bool pass(const uint8_t* row_a, const uint8_t* row_b) const noexcept {
    return row_bytes_ == 0 || agreement(row_a, row_b) >= min_agreement_;
  }
  [[nodiscard]] uint32_t agreement(const uint8_t* row_a, const uint8_t* row_b) const noexcept;

 private:
  uint32_t lanes_ = 0;
  uint32_t min_agreement_ = 0;
  size_t row_bytes_ = 0;
};

}  // namespace neardup
