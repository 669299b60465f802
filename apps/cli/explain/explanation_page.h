// ExplanationPage: what `neardup explain` prints, for people and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/comparison_page.h"
#include "cli/explain/explain_source.h"
#include "neardup/options.h"
#include "neardup/tools/align.h"
#include "neardup/tools/meeting.h"
#include "neardup/tools/plan.h"

namespace neardup::cli {

struct ExplanationPage {
  const Explained& document;
  const Options& options;  ///< of the run
  const RunPlan& plan;
  std::vector<VerdictLine> members{};  ///< some of those removed because of the keeper
  std::vector<Meeting> meetings{};     ///< a MinHash, a fingerprint, or both; empty: no texts were compared
  const ComparisonPage* comparison = nullptr;
  std::string changes{};  ///< change_places() of the two texts, for people
  std::string problem{};  ///< why there is no comparison although the document was removed

  [[nodiscard]] std::string to_text(bool colored) const;
  [[nodiscard]] std::string to_json() const;
};

/// Lines with the places of the first changes in both originals, in bytes and characters; empty if nothing differs.
std::string change_places(std::string_view removed, std::string_view keeper, const Alignment& alignment);

/// The rule by which the document was kept or removed, in words.
std::string rule_of(const Explained& document, const Options& options, const RunPlan& plan);

}  // namespace neardup::cli
