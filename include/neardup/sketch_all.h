// sketch_all(): the sketches of a corpus, one line a document, for those who search or join them by other means.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "neardup/fingerprint_text.h"
#include "neardup/map_documents.h"
#include "neardup/sketcher.h"

namespace neardup {

/// The sketch of one document. The views live until the call that gets it returns.
struct DocumentSketch {
  std::string_view id{};
  bool has_id = false;
  ExactHash exact{};
  uint64_t features = 0;  ///< distinct ones
  bool too_short = false;
  std::span<const uint32_t> signature{};  ///< of a MinHash recipe; empty when too_short
  Fingerprint128 fingerprint{};           ///< of the others; 64 bits have a high half of 0; 0 when too_short
};

/// Where sketches go. format() runs in parallel, append() in input order.
class SketchSink : public PieceSink {
 public:
  /// Called once, before all others, with the recipe whose sketches come. Throws Error{kUsage} if they cannot be written this way.
  virtual void begin(const Recipe& recipe) = 0;
  /// Appends all of a document but its place, which is known only when everything before it was read. Thread-safe after begin().
  virtual void format(const DocumentSketch& sketch, std::string& out) const = 0;
};

/// What is written goes by the end of the path, which is otherwise as in make_document_sink(). `source` is not owned.
///   JSON Lines  recipe_id (16 hexadecimal digits), source, row, id (a string or null), exact (32 hexadecimal digits), features, too_short;
///               then signature (an array of numbers), or fingerprint (a string); null when too_short
///   .tsv        a table: id, source, row, and fingerprint, or signature with commas between the lanes; empty when too_short
///   .npy        an array for NumPy (format 1.0): fingerprints as uint64 of shape (n,), or (n, 2) for 128 bits, the low half first;
///               signatures as uint32 of shape (n, lanes). Neither compressed nor to standard output
///   .bin        the bytes of that array without its header
/// In arrays row i is the i-th document that was not rejected, and a text that is too short has a row of zeros.
std::unique_ptr<SketchSink> make_sketch_sink(const std::string& path, const DocumentSource& source,
                                             FingerprintText fingerprints = FingerprintText::kHex);

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
