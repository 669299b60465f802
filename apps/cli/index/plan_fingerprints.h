// What `neardup plan` says of fingerprints: what they find and miss, and how many strangers they take for duplicates.
#pragma once

#include <string>

#include "neardup/tools/plan.h"

namespace neardup::cli {

/// Requires plan.fingerprint_bits > 0.
std::string fingerprint_plan_text(const RunPlan& plan);

}  // namespace neardup::cli
