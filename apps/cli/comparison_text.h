// ComparisonPage: what `neardup compare` prints, for people and as JSON.
#pragma once

#include <string>

#include "neardup/compare.h"
#include "neardup/plan.h"

namespace neardup::cli {

struct ComparisonPage {
  std::string name_a;
  std::string name_b;
  const Comparison& comparison;
  const RunPlan& plan;
  Threshold threshold;

  [[nodiscard]] std::string to_text(bool colored) const;
  [[nodiscard]] std::string to_json() const;
};

/// True on a terminal, unless NO_COLOR is set.
bool output_is_colored();

}  // namespace neardup::cli
