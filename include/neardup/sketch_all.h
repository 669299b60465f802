// sketch_all(): the sketches of a corpus, one line a document, for those who search or join them by other means.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "neardup/map_documents.h"
#include "neardup/sketcher.h"

namespace neardup {

/// The sketch of one document. The views live until the call that gets it returns.
struct DocumentSketch {
  std::string_view id;
  bool has_id = false;
  ExactHash exact;
  uint64_t features = 0;  ///< distinct ones
  bool too_short = false;
  std::span<const uint32_t> signature;  ///< empty when too_short
};

/// Where sketches go. format() runs in parallel, append() in input order.
class SketchSink : public PieceSink {
 public:
  /// Appends all of a document but its place, which is known only when everything before it was read. Thread-safe.
  virtual void format(const DocumentSketch& sketch, std::string& out) const = 0;
};

/// JSON Lines: recipe_id (16 hexadecimal digits), source, row, id (a string or null), exact (32 hexadecimal digits), features, too_short,
/// signature (an array of numbers; null when too_short). The path as in make_document_sink(). `source` is not owned.
std::unique_ptr<SketchSink> make_sketch_sink(const std::string& path, const DocumentSource& source, uint64_t recipe_id);

struct SketchRun {
  DocumentSource* source = nullptr;
  SketchSink* sink = nullptr;
  RejectSink* rejects = nullptr;
  std::function<void(const Progress&)> progress;
  std::function<bool()> stop;
};

/// One pass. Options used: recipe, threads. Throws Error; then nothing was committed. Of the summary, the counts of what was read are
/// filled; kept is what was sketched.
Summary sketch_all(const Options& options, const SketchRun& run);

}  // namespace neardup
