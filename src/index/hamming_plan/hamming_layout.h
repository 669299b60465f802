// lay_out: which bits make which block.
//
// Uniform codes: the bits as they stand, one block after the other. Otherwise bits are dealt to the block that is the farthest from what
// it wants, and it takes the bit that tells codes apart best, given the bits it has: so blocks get even shares of what the code says, bits
// that say the same go to different blocks, and bits that say little to none. Blocks of skewed bits come out wider than asked.
#pragma once

#include <optional>
#include <span>

#include "index/hamming_plan/bit_weights.h"
#include "neardup/tools/hamming_plan.h"

namespace neardup {

struct BlockWish {
  uint32_t worth = 0;  ///< as many even bits
  uint32_t flips = 0;
};

/// Nothing when there are not enough bits that say something. A block may be worth less than wished.
std::optional<HammingPlan> lay_out(const BitWeights& weights, uint32_t radius, std::span<const BlockWish> wishes);

/// How many even bits all bits together are worth, each for itself; rounded down. Constant bits are worth nothing.
uint32_t total_worth(const BitWeights& weights);

}  // namespace neardup
