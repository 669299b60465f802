#include "features/idf.h"

#include <algorithm>
#include <bit>

namespace neardup {
namespace {

__extension__ using UInt128 = unsigned __int128;

constexpr int kLogBits = 40;
constexpr uint64_t kLn2 = 2977044472;  // ln 2 in units of 2^-32, rounded to nearest
constexpr int kShift = kLogBits + 32 - 16;

}  // namespace

uint64_t log2_fixed(uint64_t x) noexcept {
  const int zeros = std::countl_zero(x | 1);
  uint64_t mantissa = x << zeros;  // in units of 2^-63: at least 1, below 2
  auto result = static_cast<uint64_t>(63 - zeros);
  for (int bit = 0; bit < kLogBits; ++bit) {
    const auto square = static_cast<UInt128>(mantissa) * mantissa;
    const bool two = (square >> 127) != 0;
    mantissa = static_cast<uint64_t>(square >> (two ? 64 : 63));
    result = result << 1 | static_cast<uint64_t>(two);
  }
  return result;
}

int32_t idf_fixed(uint64_t documents, uint64_t frequency) noexcept {
  const uint64_t difference = log2_fixed(documents + 1) - log2_fixed(std::min(documents, frequency) + 1);
  const UInt128 product = static_cast<UInt128>(difference) * kLn2 + (static_cast<UInt128>(1) << (kShift - 1));
  return kIdfOne + static_cast<int32_t>(static_cast<uint64_t>(product >> kShift));
}

}  // namespace neardup
