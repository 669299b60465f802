// lay_out: assigns bits to blocks.
//
// Uniform codes: the bits in order, block after block. Otherwise the block that is farthest from its request gets the next bit, the one
// that distinguishes codes best given the bits it has. So blocks get even shares of the information, correlated bits go to different
// blocks, and bits with little information to none. Blocks of skewed bits are wider than requested.
#pragma once

#include <optional>
#include <span>

#include "index/hamming_plan/bit_weights.h"
#include "neardup/tools/hamming_plan.h"

namespace neardup {

struct BlockRequest {
  uint32_t worth = 0;  ///< equivalent number of even bits
  uint32_t flips = 0;
};

/// Nothing when too few bits carry information. A block may be worth less than requested.
std::optional<HammingPlan> lay_out(const BitWeights& weights, uint32_t radius, std::span<const BlockRequest> requests);

/// The number of even bits that all bits are worth, each taken alone; rounded down. Constant bits are worth nothing.
uint32_t total_worth(const BitWeights& weights);

}  // namespace neardup
