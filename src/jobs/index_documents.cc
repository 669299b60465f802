#include "neardup/tools/index_documents.h"

#include <fmt/format.h>

#include <cstring>

#include "dedup/pass/late_rejects.h"
#include "jobs/index_run.h"
#include "neardup/error.h"
#include "neardup/stop.h"
#include "neardup/tools/sketch_all.h"

namespace neardup {
namespace {

// A piece is the code, then a byte that tells whether there is an id, then the id; of a text that is too short it is empty.
template <typename Code>
class IndexSink final : public SketchSink {
 public:
  IndexSink(const HammingStore<Code>& store, HammingBulk<Code>& bulk, const DocumentSource& source)
      : store_(store), bulk_(bulk), source_(source) {}

  void begin(const Recipe& recipe) override { store_.require_recipe(recipe.id()); }
  void format(const DocumentSketch& sketch, std::string& out) const override {
    if (sketch.too_short) return;
    const Code code = narrowed<Code>(sketch.fingerprint);
    out.append(reinterpret_cast<const char*>(&code), sizeof code);
    out.push_back(sketch.has_id && !sketch.id.empty() ? 1 : 0);
    out += sketch.id;
  }
  void append(const DocumentId& where, std::string_view piece) override {
    if (piece.empty()) return;
    Code code;
    std::memcpy(&code, piece.data(), sizeof code);
    if (piece[sizeof code] != 0) {
      bulk_.add(code, piece.substr(sizeof code + 1));
    } else {
      bulk_.add(code, fmt::format("{}:{}", source_.source_name(where.source), where.row));
    }
  }
  // finish_index() commits.
  void commit() override {}
  void withdraw() noexcept override {}

 private:
  const HammingStore<Code>& store_;
  HammingBulk<Code>& bulk_;
  const DocumentSource& source_;
};

}  // namespace

template <typename Code>
IndexSummary index_documents(const Options& options, HammingStore<Code>& store, const IndexRun& run) {
  const StopScope scope(&run.stop);
  if (!store.spec().names) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("the index '{}' has no names: it was built from an array of fingerprints, and takes such only", store.stat().folder));
  }
  HammingBulk<Code> bulk(store, index_build(options));
  IndexSink<Code> sink(store, bulk, *run.source);
  LateRejects rejects(run.rejects);
  const Summary sketched =
      sketch_all(options, {.source = run.source, .sink = &sink, .rejects = &rejects, .progress = run.progress, .stop = run.stop});
  IndexSummary summary{.read = sketched.read,
                       .too_short = sketched.short_texts,
                       .rejected = sketched.rejected,
                       .rejected_by_kind = sketched.rejected_by_kind,
                       .repaired = sketched.repaired,
                       .malformed_texts = sketched.malformed_texts,
                       .invalid_ids = sketched.invalid_ids,
                       .text_bytes = sketched.text_bytes,
                       .recipe_name = sketched.recipe_name,
                       .spilled_bytes = sketched.spilled_bytes,
                       .kernels = sketched.kernels,
                       .passes = sketched.passes,
                       .warnings = sketched.warnings};
  finish_index(options, store, bulk, run, summary);
  return summary;
}

template IndexSummary index_documents(const Options&, HammingStore<Fingerprint64>&, const IndexRun&);
template IndexSummary index_documents(const Options&, HammingStore<Fingerprint128>&, const IndexRun&);

}  // namespace neardup
