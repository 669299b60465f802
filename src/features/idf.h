// The inverse document frequency as a fixed-point number, in integers only: the same on every machine, whatever its mathematics library.
//
//   idf = ln((documents + 1) / (frequency + 1)) + 1, in units of 2^-16
//
// docs/weights.md defines the steps to the last bit.
#pragma once

#include <cstdint>

namespace neardup {

/// 1.0 as an idf.
inline constexpr int32_t kIdfOne = 1 << 16;

/// log2(x) in units of 2^-40, rounded down except for the last bit. Requires x > 0.
uint64_t log2_fixed(uint64_t x) noexcept;

/// Requires documents < 2^63. A frequency above `documents` counts as `documents`; then the idf is kIdfOne, the minimum.
int32_t idf_fixed(uint64_t documents, uint64_t frequency) noexcept;

}  // namespace neardup
