// SketchSink: the sketches of documents, one line or one row of an array each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "neardup/sink.h"
#include "neardup/sketcher.h"

namespace neardup {

/// The sketch of one document. The views are valid during the call.
struct DocumentSketch {
  std::string_view id{};
  bool has_id = false;
  ExactHash exact{};
  uint64_t features = 0;  ///< distinct ones
  bool too_short = false;
  std::span<const uint32_t> signature{};  ///< of a MinHash recipe; empty when too_short
  Fingerprint128 fingerprint{};           ///< of the others; 64 bits have a high half of 0; 0 when too_short
};

/// Receives sketches. format() runs in parallel, append() in input order.
class SketchSink : public PieceSink {
 public:
  /// Called once, before all others, with the recipe whose sketches come. Throws Error{kUsage} if they cannot be written this way.
  virtual void begin(const Recipe& recipe) = 0;
  /// Appends everything of a document but its place, which is known only after all earlier documents were read. Thread-safe after begin().
  virtual void format(const DocumentSketch& sketch, std::string& out) const = 0;
};

}  // namespace neardup
