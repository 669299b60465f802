// Lists of the lines that a corpus repeats: fit_lines() learns one, read_lines() describes one. A recipe drops the lines of a list by
// {"lines_v1": ID} among its cleaners and the file among its line_lists; docs/cleaning.md defines both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/options.h"
#include "neardup/tools/run_hooks.h"
#include "neardup/tools/summary.h"
#include "neardup/tools/threshold.h"

namespace neardup {

struct LineRun : RunHooks {
  std::string output;  ///< the list
  Threshold share = Threshold::from_millionths(10'000);
  uint64_t min_documents = 2;
  uint64_t top_lines = 0;  ///< number of most frequent lines returned as text; above 0, the source is read twice
};

struct LineListInfo {
  uint64_t id = 0;
  uint64_t lines = 0;
  Threshold share = Threshold::from_millionths(Threshold::kOne);
  uint64_t documents = 0;
};

struct LearnedLines {
  struct Line {
    std::string text;
    uint64_t documents = 0;  ///< that have it
  };
  LineListInfo list;
  std::vector<Line> top;  ///< the most frequent first, of equals the smallest in bytes
  Summary summary;        ///< has the counts of records read; kept is the number of counted documents
};

/// Learns the lines that more than `share` of the documents have, and at least `min_documents` of them. A text first passes the recipe's
/// cleaners, because lines_v1 will come after them. The list is a function of the documents (not of their order) and the recipe. Options
/// used: recipe, threads, memory, temp_dir. Throws Error; then nothing was committed.
LearnedLines fit_lines(const Options& options, const LineRun& run);

/// Checks the whole file. Throws Error{kInput}.
LineListInfo read_lines(const std::string& path);

}  // namespace neardup
