#include "neardup/tools/hamming_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>

#include "index/hamming_plan/hamming_flips.h"

namespace neardup {
namespace {

bool permutes(std::span<const uint8_t> order, uint32_t bits) {
  std::bitset<256> seen;
  for (const uint8_t bit : order) seen.set(bit);
  return order.size() == bits && seen.count() == bits && (seen >> bits).none();
}

}  // namespace

std::string hamming_plan_problem(const HammingPlan& plan) {
  if (plan.bits != 64 && plan.bits != 128) return fmt::format("bits must be 64 or 128, not {}", plan.bits);
  if (plan.radius > plan.bits) return fmt::format("the distance must be at most {}, not {}", plan.bits, plan.radius);
  if (!plan.order.empty() && !permutes(plan.order, plan.bits)) return fmt::format("order must have each of {} bits once", plan.bits);
  if (plan.blocks.empty()) return {};
  if (plan.blocks.size() > kMaxHammingBlocks) {
    return fmt::format("at most {} blocks are possible, not {}", kMaxHammingBlocks, plan.blocks.size());
  }
  uint32_t end = 0;
  uint32_t reach = 0;
  uint64_t probes = 0;
  for (size_t b = 0; b < plan.blocks.size(); ++b) {
    const HammingBlock& block = plan.blocks[b];
    if (block.width < 1 || block.width > kMaxHammingBlock) {
      return fmt::format("block {}: width must be 1 to {}, not {}", b, kMaxHammingBlock, block.width);
    }
    if (block.begin < end) return fmt::format("block {}: begins at {}, and the one before it ends at {}", b, block.begin, end);
    if (block.begin > plan.bits - block.width) {
      return fmt::format("block {}: begins at {} with width {}, beyond {} bits", b, block.begin, block.width, plan.bits);
    }
    if (block.flips > block.width) return fmt::format("block {}: flips must be at most {}, not {}", b, block.width, block.flips);
    end = block.begin + block.width;
    reach += block.flips + 1;
    probes += hamming_volume(block.width, block.flips);  // at most 2^36 each
  }
  if (reach <= plan.radius) {
    return fmt::format("distance {} is too large: the blocks find all fingerprints within {} only", plan.radius, reach - 1);
  }
  if (probes > kMaxHammingProbes) return fmt::format("a query may look into at most {} buckets, not {}", kMaxHammingProbes, probes);
  return {};
}

uint64_t hamming_probes(const HammingPlan& plan, uint32_t radius) {
  const std::vector<int32_t> flips = hamming_flips(plan, radius);
  uint64_t probes = 0;
  for (size_t t = 0; t < flips.size(); ++t) {
    if (flips[t] != kTableUnused) probes += hamming_volume(plan.blocks[t].width, static_cast<uint32_t>(flips[t]));
  }
  return probes;
}

}  // namespace neardup
