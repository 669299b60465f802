// sketch_all(): the sketches of a corpus, one line a document, for those who search or join them by other means.
#pragma once

#include <functional>

#include "neardup/tools/map_documents.h"
#include "neardup/tools/sketch_sink.h"

namespace neardup {

struct SketchRun {
  DocumentSource* source = nullptr;
  SketchSink* sink = nullptr;
  RejectSink* rejects = nullptr;
  std::function<void(const Progress&)> progress;
  std::function<bool()> stop;  ///< asked from any thread: neardup/stop.h
};

/// One pass; two if the recipe weighs by the IDF of the corpus itself. Options used: recipe, threads, memory, temp_dir. Throws Error; then
/// nothing was committed. Of the summary, the counts of what was read are filled; kept is what was sketched.
Summary sketch_all(const Options& options, const SketchRun& run);

}  // namespace neardup
