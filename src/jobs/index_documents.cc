#include "neardup/tools/index_documents.h"

#include <fmt/format.h>

#include <cstring>

#include "base/format.h"
#include "dedup/pass/outputs.h"
#include "dedup/report/summary_parts.h"
#include "jobs/commit_index.h"
#include "neardup/error.h"
#include "neardup/stop.h"
#include "neardup/tools/readable.h"
#include "neardup/tools/sketch_all.h"

namespace neardup {
namespace {

// A piece is the code, a byte that is 1 if there is an id, and the id; the piece of a text that is too short is empty.
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
  // commit_index() commits.
  void commit() override {}
  void withdraw() noexcept override {}

 private:
  const HammingStore<Code>& store_;
  HammingBulk<Code>& bulk_;
  const DocumentSource& source_;
};

}  // namespace

template <typename Code>
IndexSummary index_documents(const Options& options, HammingStore<Code>& store, const RunHooks& run) {
  const StopScope scope(&run.stop);
  if (!store.spec().names) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the index '{}' has no names: it was built from an array of fingerprints, and accepts only arrays",
                            store.stat().folder));
  }
  HammingBulk<Code> bulk(store, index_build(options));
  IndexSink<Code> sink(store, bulk, *run.source);
  BorrowedRejectSink rejects(run.rejects);
  SketchRun sketching{run, &sink};
  sketching.rejects = &rejects;
  const Summary sketched = sketch_all(options, sketching);
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
  Outputs outputs;
  outputs.add(run.rejects);
  commit_index(options, store, bulk, run.progress, outputs, summary);
  return summary;
}

template IndexSummary index_documents(const Options&, HammingStore<Fingerprint64>&, const RunHooks&);
template IndexSummary index_documents(const Options&, HammingStore<Fingerprint128>&, const RunHooks&);

std::string IndexSummary::to_text(bool verbose) const {
  using namespace summary_parts;
  std::string text;
  append_format(text, "read {} = added {} + too short {} + rejected {}\n", grouped(read), grouped(added), grouped(too_short),
                grouped(rejected));
  write_rejects(rejected_by_kind, text, recipe_name.empty() ? "the fingerprint" : kTextField);
  if (too_short > 0) append_format(text, "too short for a fingerprint: {}, left out of the index\n", grouped(too_short));
  if (repaired > 0) append_format(text, "repaired texts: {}, malformed characters read as U+FFFD\n", grouped(repaired));
  write_invalid_ids(invalid_ids, text);
  append_format(text, "index: {} in {}, {}\n", counted(entries, "entry", "entries"), counted(segments, "segment", "segments"),
                data_size(index_bytes));
  if (!verbose) return text;
  write_passes(passes, text_bytes, text);
  write_machine(peak_memory_bytes, spilled_bytes, threads, kernels, text);
  return text;
}

std::string IndexSummary::to_json() const {
  using namespace summary_parts;
  std::string text = fmt::format(
      R"({{"read":{},"added":{},"too_short":{},"rejected":{},"rejected_by_kind":{},"repaired":{},"malformed_texts":{},"invalid_ids":{},"text_bytes":{},"entries":{},)"
      R"("segments":{},"index_bytes":{},"spilled_bytes":{},"peak_memory_bytes":{},)",
      read, added, too_short, rejected, rejected_by_kind.to_json(), repaired, malformed_texts, invalid_ids, text_bytes, entries, segments,
      index_bytes, spilled_bytes, peak_memory_bytes);
  append_format(text, R"("recipe_id":"{:016x}","recipe_name":{},"kernels":{},"threads":{},)", recipe_id, json_string(recipe_name),
                json_string(kernels), threads);
  write_lists(passes, warnings, text);
  return text + "}";
}

}  // namespace neardup
