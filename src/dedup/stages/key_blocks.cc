#include "dedup/stages/key_blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/error.h"

namespace neardup {
namespace {

constexpr uint32_t kKeyBits = 48;

Fingerprint128 mask_of(uint32_t begin, uint32_t width) {
  Fingerprint128 mask;
  for (uint32_t bit = begin; bit < begin + width; ++bit) (bit < 64 ? mask.low : mask.high) |= uint64_t{1} << (bit % 64);
  return mask;
}

}  // namespace

KeyBlocks::KeyBlocks(uint32_t bits, uint32_t max_distance) {
  if (bits == 0) return;
  if (bits / (max_distance + 1) < kMinBits) {
    throw Error(ErrorCode::kUsage,
                fmt::format("max_distance: {} is above {}, the maximum of runs over several machines with fingerprints of "
                            "{} bits",
                            max_distance, bits / kMinBits - 1, bits));
  }
  const uint32_t count = max_distance + 1;
  for (uint32_t block = 0; block < count; ++block) {
    const uint32_t begin = bits * block / count;
    const uint32_t end = bits * (block + 1) / count;
    begins_.push_back(begin);
    masks_.push_back(mask_of(begin, std::min(end - begin, kKeyBits)));
  }
}

}  // namespace neardup
