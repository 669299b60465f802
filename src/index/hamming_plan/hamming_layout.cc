#include "index/hamming_plan/hamming_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace neardup {
namespace {

// A bit in which more pairs than this agree doubles the directory without halving the buckets.
constexpr double kUninformative = 0.9;
// A block is worth w even bits when pairs agree in it with probability 2^-w, or half a bit more.
constexpr double kHalfBit = 1.4142135623730951;

// ln(1/x) / ln(2) for x in [1/2, 1], by the series of the inverse hyperbolic tangent.
double worth(double agree) noexcept {
  const double z = (1 - agree) / (1 + agree);
  const double square = z * z;
  return 2 * z * (1 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7 + square / 9)))) * 1.4426950408889634;
}

struct Block {
  std::vector<uint8_t> bits;
  std::vector<double> weight;  // of each remaining bit: how often pairs that agree in the block also agree in it
  double agree = 1;            // in all its bits
  bool full = false;
};

class Dealer {
 public:
  Dealer(const BitWeights& weights, std::span<const BlockRequest> requests)
      : weights_(weights), requests_(requests), blocks_(requests.size()) {
    std::vector<double> alone(weights.bits());
    for (uint32_t b = 0; b < weights.bits(); ++b) alone[b] = weights.agree(b);
    for (Block& block : blocks_) block.weight = alone;
    free_.assign(weights.bits(), true);
  }

  std::vector<Block> deal() {
    for (size_t next = neediest(); next < blocks_.size(); next = neediest()) take(next);
    return std::move(blocks_);
  }

 private:
  // The block with the most pairs relative to its request.
  [[nodiscard]] size_t neediest() const {
    size_t chosen = blocks_.size();
    double most = 0;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      const double need = std::ldexp(blocks_[i].agree, static_cast<int>(requests_[i].worth));
      if (blocks_[i].full || need <= most) continue;
      most = need;
      chosen = i;
    }
    return chosen;
  }

  void take(size_t at) {
    Block& block = blocks_[at];
    uint32_t best = weights_.bits();
    for (uint32_t b = 0; b < weights_.bits(); ++b) {
      if (free_[b] && block.weight[b] < kUninformative && (best == weights_.bits() || block.weight[b] < block.weight[best])) best = b;
    }
    if (best == weights_.bits()) {
      block.full = true;
      return;
    }
    free_[best] = false;
    block.bits.push_back(static_cast<uint8_t>(best));
    block.agree *= block.weight[best];
    for (uint32_t b = 0; b < weights_.bits(); ++b) block.weight[b] *= weights_.together(best, b);
    block.full = block.bits.size() == kMaxHammingBlock || std::ldexp(block.agree, static_cast<int>(requests_[at].worth)) < kHalfBit;
  }

  const BitWeights& weights_;
  const std::span<const BlockRequest> requests_;
  std::vector<Block> blocks_;
  std::vector<bool> free_;
};

}  // namespace

uint32_t total_worth(const BitWeights& weights) {
  double sum = 0;
  for (uint32_t b = 0; b < weights.bits(); ++b) sum += weights.agree(b) < kUninformative ? worth(weights.agree(b)) : 0;
  return static_cast<uint32_t>(sum + 0.01);  // the series ends early
}

std::optional<HammingPlan> lay_out(const BitWeights& weights, uint32_t radius, std::span<const BlockRequest> requests) {
  HammingPlan plan{.bits = weights.bits(), .radius = radius, .order = {}, .blocks = {}};
  uint32_t begin = 0;
  if (weights.uniform()) {
    for (const BlockRequest& request : requests) {
      plan.blocks.push_back({begin, request.worth, request.flips});
      begin += request.worth;
    }
    return begin <= plan.bits ? std::optional(plan) : std::nullopt;
  }
  std::vector<bool> placed(plan.bits, false);
  std::vector<Block> blocks = Dealer(weights, requests).deal();
  for (size_t i = 0; i < blocks.size(); ++i) {
    std::vector<uint8_t>& bits = blocks[i].bits;
    if (bits.empty() || bits.size() < requests[i].flips) return std::nullopt;
    std::sort(bits.begin(), bits.end());
    for (const uint8_t bit : bits) placed[bit] = true;
    plan.order.insert(plan.order.end(), bits.begin(), bits.end());
    plan.blocks.push_back({begin, static_cast<uint32_t>(bits.size()), requests[i].flips});
    begin += static_cast<uint32_t>(bits.size());
  }
  for (uint32_t b = 0; b < plan.bits; ++b) {
    if (!placed[b]) plan.order.push_back(static_cast<uint8_t>(b));
  }
  return plan;
}

}  // namespace neardup
