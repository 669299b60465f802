// choose_hamming_plan: the plan of an index of these codes.
#pragma once

#include <span>

#include "neardup/fingerprint.h"
#include "neardup/hamming_plan.h"

namespace neardup {

template <typename Code>
HammingPlan choose_hamming_plan(std::span<const Code> codes, uint32_t radius) {
  HammingPlan plan{.bits = Code::kBits, .radius = radius};
  if (codes.size() < 4096 || radius >= Code::kBits) return plan;
  const uint32_t tables = std::max(1u, (radius + 2) / 2);
  uint32_t sum = radius + 1;
  const uint32_t width = std::min(Code::kBits / tables, static_cast<uint32_t>(std::bit_width(codes.size())));
  for (uint32_t t = 0; t < tables; ++t) {
    const uint32_t share = (sum + tables - t - 1) / (tables - t);
    plan.blocks.push_back({t * (Code::kBits / tables), width, share - 1});
    sum -= share;
  }
  return plan;
}

}  // namespace neardup
