// sketch_all(): the sketches of a corpus, one line per document, for searching or joining them elsewhere.
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
/// nothing was committed. Fills the summary's counts of records read; kept is the number of sketched documents.
Summary sketch_all(const Options& options, const SketchRun& run);

}  // namespace neardup
