// The progress of a run as one line: for a terminal, where it fits the width, or for a log.
//
// Pure functions: the Reporter decides when and where the line is shown.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "neardup/tools/run_hooks.h"

namespace neardup::cli {

/// The rate of a pass, its finished share and its remaining time.
struct Pace {
  double bytes_per_second = 0;
  double documents_per_second = 0;
  std::optional<double> share;         ///< 0 to 1; nothing where the total is unknown
  std::optional<double> left_seconds;  ///< of this pass
};

/// `since` is the first report of the pass, `seconds` ago: rates count from there.
Pace pace_of(const Progress& now, const Progress& since, double seconds);

/// "sketch (1/5) [######--------]  43 %, 1:02 left, 45.2 MiB/s, 1,234 documents, of 1.2 GiB": at most `columns` wide. What matters least
/// is left out if the line would be longer: first the size of the input, last the name of the pass. The percentage and the remaining time
/// are never cut (19 columns are enough for them); in fewer columns the time is left out, then all. `colored`: the bar is green.
std::string progress_line(const Progress& now, const Pace& pace, size_t columns, bool colored);

/// The same without a bar, whole: "sketch (1/5): 43 %, 1:02 left, ...".
std::string progress_text(const Progress& now, const Pace& pace);

}  // namespace neardup::cli
