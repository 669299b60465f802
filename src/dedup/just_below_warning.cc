#include "dedup/just_below_warning.h"

#include <fmt/format.h>

#include "dedup/match/matcher.h"
#include "dedup/report/summary_parts.h"
#include "neardup/tools/readable.h"

namespace neardup {

void warn_of_just_below(uint64_t documents, const Options& options, Summary& summary) {
  if (documents < kManyJustBelow || documents < summary.near_duplicates) return;
  const double threshold = options.threshold.value();
  const double below = threshold - kJustBelow / 1e6;
  summary.warnings.push_back(
      fmt::format("{} kept documents have a similarity of {:g} to {:g} with another one, and {} were removed as near-duplicates: the "
                  "threshold lies among them, as it can with OCR or short texts. 'neardup pairs --threshold {:g}' lists them; consider "
                  "a lower threshold, or shingles of characters",
                  grouped(documents), below, threshold, grouped(summary.near_duplicates), below));
}

}  // namespace neardup
