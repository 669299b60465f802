// plan_work: the work of a plan, by what the bits of its blocks are worth.
#pragma once

#include "index/hamming_plan/bit_weights.h"
#include "index/hamming_plan/hamming_cost.h"

namespace neardup {

/// At the plan's radius.
IndexWork plan_work(const HammingPlan& plan, const BitWeights& weights, const HammingStatistics& statistics);

}  // namespace neardup
