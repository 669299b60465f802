// What `neardup dedup --dry-run --sample` reports.
#pragma once

#include <cstddef>
#include <string>

#include "neardup/tools/sample_removals.h"

namespace neardup::cli {

/// Lines: the sample, the removals of the corpus, and those of at most `sources` of the sources, the largest.
std::string removals_page(const SampledRemovals& found, size_t sources);

/// One JSON object with all sources.
std::string removals_json(const SampledRemovals& found);

}  // namespace neardup::cli
