// ComparisonPage: what `neardup compare` prints, for people and as JSON.
#pragma once

#include <string>
#include <vector>

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

  /// What a run with these options would say.
  [[nodiscard]] bool match() const { return comparison.bits > 0 ? comparison.matches_within(max_distance) : comparison.matches(threshold); }
  [[nodiscard]] std::string to_text(bool colored) const;
  [[nodiscard]] std::string to_json() const;

  // Parts of to_text(), of recipes of fingerprints and of all.
  [[nodiscard]] std::string words_text() const;
  [[nodiscard]] std::string fingerprints_text(bool colored) const;
  [[nodiscard]] std::string presets_text() const;
};

/// True if the fingerprints differ in this bit.
inline bool differs(const Comparison& comparison, uint32_t bit) {
  const Fingerprint128& a = comparison.fingerprint_a;
  const Fingerprint128& b = comparison.fingerprint_b;
  return ((bit < 64 ? (a.low ^ b.low) >> bit : (a.high ^ b.high) >> (bit - 64)) & 1) != 0;
}
/// A weight as people know it: a TF-IDF weight, or a count.
double weight_value(const Recipe& recipe, int32_t weight);

/// True on a terminal, unless NO_COLOR is set.
bool output_is_colored();

}  // namespace neardup::cli
