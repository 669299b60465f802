// sketch_all(): the sketches of a corpus, one line a document, for those who search or join them by other means.
#pragma once

#include "neardup/options.h"
#include "neardup/tools/run_hooks.h"
#include "neardup/tools/sketch_sink.h"
#include "neardup/tools/summary.h"

namespace neardup {

struct SketchRun : RunHooks {
  SketchSink* sink = nullptr;  ///< not owned; null: nothing is written
};

/// One pass; two if the recipe weighs by the IDF of the corpus itself. Options used: recipe, threads, memory, temp_dir. Throws Error; then
/// nothing was committed. Of the summary, the counts of what was read are filled; kept is what was sketched.
Summary sketch_all(const Options& options, const SketchRun& run);

}  // namespace neardup
