// How a run announces itself: its recipe, search and machine, as text and as members of JSON.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/options.h"
#include "neardup/recipe.h"
#include "neardup/source.h"
#include "neardup/tools/plan.h"

namespace neardup::cli {

/// "words-5 (0123456789abcdef)"
std::string recipe_label(const Recipe& recipe);
/// "LSH: 15 bands of 8 rows, expected to miss 0.18 % of pairs at exactly the threshold"
std::string search_label(const Options& options, const RunPlan& plan);

/// "threshold 0.8, " if a similarity decides; empty if the distance of fingerprints does.
std::string threshold_label(const Options& options, const RunPlan& plan);
/// "first": the keep policy in force.
std::string keep_label(const Options& options);
/// Members of JSON: how pairs are found and judged.
std::string search_json(const Options& options, const RunPlan& plan);

/// "memory 8G": in the unit that it was given in.
std::string memory_label(const Options& options, const RunPlan& plan);
/// "3 inputs (JSON Lines)", "5 inputs (2 JSON Lines, 3 CSV)": the sources from `first` on; and the same as members of JSON.
std::string inputs_label(const DocumentSource& source, uint32_t first = 0);
std::string inputs_json(const DocumentSource& source, uint32_t first = 0);

/// "2 threads, 3 inputs (JSON Lines), 1.2 MB", for the line before a run; and the same as members of JSON.
std::string machine_label(const RunPlan& plan, const DocumentSource& source);
std::string machine_json(const RunPlan& plan, const DocumentSource& source);

}  // namespace neardup::cli
