// ComparisonPage: what `neardup compare` prints, for people and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/terminal/difference_view.h"
#include "neardup/compare.h"
#include "neardup/tools/plan.h"

namespace neardup::cli {

struct ComparisonPage {
  std::string name_a;
  std::string name_b;
  const Comparison& comparison;
  const RunPlan& plan;
  Threshold threshold;
  uint32_t max_distance;  ///< of fingerprints
  const std::vector<PresetVerdict>& presets;
  const DifferenceView& differences;                 ///< of the original texts
  std::optional<Comparison::Contained> contained{};  ///< under Measure::kContainment

  Verify verify = Verify::kTrue;  ///< of the run; weights count only if the comparison has them

  /// True if weighted features decide.
  [[nodiscard]] bool by_weights() const noexcept {
    return comparison.weighted && (verify == Verify::kCosine || verify == Verify::kWeightedJaccard);
  }
  /// False if weights decide that the comparison does not have.
  [[nodiscard]] bool decided() const noexcept {
    return comparison.weighted || comparison.exact_copy || (verify != Verify::kCosine && verify != Verify::kWeightedJaccard);
  }
  /// The verdict of a run with these options, if decided().
  [[nodiscard]] bool match() const {
    if (contained) return contained->any();
    if (by_weights() && !comparison.matches_by_weights(verify, threshold)) return false;
    if (comparison.bits > 0) return comparison.matches_within(max_distance);
    return by_weights() || comparison.matches(threshold);
  }
  [[nodiscard]] std::string to_text(bool colored) const;
  [[nodiscard]] std::string to_json() const;
};

/// True on a terminal with colors (can_color()).
bool output_is_colored();

}  // namespace neardup::cli
