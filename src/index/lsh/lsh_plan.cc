#include "index/lsh/lsh_plan.h"

#include <cmath>

namespace neardup {

double LshPlan::miss_probability(double s) const noexcept {
  return std::pow(1 - std::pow(s, rows), bands);
}

LshPlan plan_lsh(Threshold threshold, Threshold miss, uint32_t lanes) {
  for (uint32_t rows = lanes; rows >= 1; --rows) {
    const uint32_t max_bands = lanes / rows;
    if (LshPlan{max_bands, rows}.miss_probability(threshold.value()) > miss.value()) continue;
    uint32_t bands = max_bands;
    while (bands > 1 && LshPlan{bands - 1, rows}.miss_probability(threshold.value()) <= miss.value()) --bands;
    return {bands, rows};
  }
  return {lanes, 1};
}

}  // namespace neardup
