// Lists of the lines that a corpus repeats: fit_lines() learns one, read_lines() tells what is in one. A recipe drops the lines of a list
// by {"lines_v1": ID} among its cleaners and the file among its line_lists; docs/cleaning.md defines both.
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
  uint64_t top_lines = 0;  ///< how many of the most frequent lines are given as text; above 0, the source is read twice
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
  std::vector<Line> top;  ///< the most frequent first, of equals the least in bytes
  Summary summary;        ///< the counts of what was read are filled; kept is what was counted
};

/// Learns the lines that more than `share` of the documents have, and at least `min_documents` of them. A text is cleaned by the recipe's
/// cleaners first, so that a list fits where lines_v1 will stand: after them. The list is a function of the documents (not of their order)
/// and the recipe. Options used: recipe, threads, memory, temp_dir. Throws Error; then nothing was committed.
LearnedLines fit_lines(const Options& options, const LineRun& run);

/// Checks the whole file. Throws Error{kInput}.
LineListInfo read_lines(const std::string& path);

}  // namespace neardup
