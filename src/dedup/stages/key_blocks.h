// KeyBlocks: the bits of a fingerprint in k + 1 blocks: two fingerprints at a distance of at most k are equal in one of them, because k
// different bits cannot lie in k + 1 blocks.
//
// Immutable; shared by threads.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "neardup/fingerprint.h"

namespace neardup {

class KeyBlocks {
 public:
  /// Narrower blocks would connect nearly everything.
  static constexpr uint32_t kMinBits = 4;

  KeyBlocks() = default;  ///< none
  /// Throws Error{kUsage} that names max_distance if the blocks were narrower than kMinBits. `bits` 0: none.
  KeyBlocks(uint32_t bits, uint32_t max_distance);

  [[nodiscard]] uint32_t count() const noexcept { return static_cast<uint32_t>(masks_.size()); }
  /// The value of a block, below 2^48: of wider blocks only the lowest bits count.
  [[nodiscard]] uint64_t key(const Fingerprint128& code, uint32_t block) const noexcept {
    const Fingerprint128& mask = masks_[block];
    const uint64_t high = code.high & mask.high;
    const uint64_t low = code.low & mask.low;
    // A block has at most 48 bits, so its parts do not overlap after the shift.
    const uint32_t begin = begins_[block];
    if (begin >= 64) return high >> (begin - 64);
    return low >> begin | (begin == 0 ? 0 : high << (64 - begin));
  }
  /// True if `block` is the first one in which the two are equal. Requires that they are equal there.
  [[nodiscard]] bool first_equal(const Fingerprint128& a, const Fingerprint128& b, uint32_t block) const noexcept {
    const Fingerprint128 different{a.high ^ b.high, a.low ^ b.low};
    for (uint32_t earlier = 0; earlier < block; ++earlier) {
      if ((different.high & masks_[earlier].high) == 0 && (different.low & masks_[earlier].low) == 0) return false;
    }
    return true;
  }

 private:
  std::vector<Fingerprint128> masks_;
  std::vector<uint32_t> begins_;
};

}  // namespace neardup
