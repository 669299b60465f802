#include "neardup/tools/index_clues.h"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <vector>

#include "base/format.h"
#include "base/parallel.h"
#include "dedup/memory_plan.h"
#include "dedup/pass/outputs.h"
#include "dedup/report/summary_parts.h"
#include "neardup/error.h"
#include "neardup/stop.h"
#include "neardup/tools/machine.h"
#include "neardup/tools/map_documents.h"
#include "neardup/tools/readable.h"

namespace neardup {
namespace {

// A piece is the length of the id in 8 bytes, 0 without one, the id, and what ClueWriter::prepare() made.
class ClueSink final : public PieceSink {
 public:
  ClueSink(ClueWriter& writer, const DocumentSource& source) : writer_(writer), source_(source) {}

  static void name(const Record& record, std::string& piece) {
    const bool named = record.has_id && !record.id.empty();
    const uint64_t bytes = named ? record.id.size() : 0;
    piece.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    if (named) piece += record.id;
  }
  void append(const DocumentId& where, std::string_view piece) override {
    uint64_t bytes = 0;
    std::memcpy(&bytes, piece.data(), sizeof bytes);
    const std::string_view rest = piece.substr(sizeof bytes);
    if (bytes > 0) {
      writer_.add_prepared(rest.substr(0, bytes), rest.substr(bytes));
    } else {
      writer_.add_prepared(fmt::format("{}:{}", source_.source_name(where.source), where.row), rest);
    }
  }
  // index_clues() commits.
  void commit() override {}
  void withdraw() noexcept override {}

 private:
  ClueWriter& writer_;
  const DocumentSource& source_;
};

// What each source gives to refer to its texts.
std::vector<std::string> references_of(const DocumentSource& source) {
  std::vector<std::string> references;
  for (uint32_t i = 0; i < source.source_count(); ++i) {
    references.push_back(source.reference_to(i));
    if (!references.back().empty()) continue;
    throw Error(ErrorCode::kUsage,
                fmt::format("an index cannot refer to the texts of '{}'; expected files of JSON Lines or text that are not "
                            "compressed. Other inputs require an index that keeps texts",
                            source.source_name(i)));
  }
  return references;
}

}  // namespace

ClueIndexSummary index_clues(const Options& options, ClueIndex& index, const RunHooks& run) {
  const StopScope scope(&run.stop);
  const uint32_t threads = resolve_threads(options.threads);
  ClueWriter writer(index, {.threads = threads, .memory = MemoryPlan(options).total, .temp_dir = options.temp_dir, .stop = run.stop});
  const std::vector<std::string> references = index.recipe().refer ? references_of(*run.source) : std::vector<std::string>();
  ClueSink sink(writer, *run.source);
  BorrowedRejectSink rejects(run.rejects);
  std::vector<ClueScratch> scratches(threads);
  const MapDocument prepare = [&](uint32_t worker, const Record& record, std::string& piece) {
    ClueSink::name(record, piece);
    if (references.empty()) {
      writer.prepare(record.text, scratches[worker], piece);
    } else if (record.offset) {
      const TextReference reference{.source = references[record.where.source], .offset = *record.offset, .length = record.raw.size()};
      writer.prepare(record.text, reference, scratches[worker], piece);
    } else {
      throw Error(ErrorCode::kInput, fmt::format("'{}' changed while it was read", run.source->source_name(record.where.source)));
    }
    return false;
  };
  RunHooks hooks = run;
  hooks.rejects = &rejects;
  const Summary read = map_documents("read", threads, prepare, {hooks, &sink, options.max_rejects});
  ClueIndexSummary summary{.read = read.read,
                           .added = writer.size(),
                           .rejected = read.rejected,
                           .rejected_by_kind = read.rejected_by_kind,
                           .repaired = read.repaired,
                           .malformed_texts = read.malformed_texts,
                           .invalid_ids = read.invalid_ids,
                           .text_bytes = read.text_bytes,
                           .recipe = index.recipe(),
                           .threads = threads,
                           .kernels = read.kernels,
                           .passes = read.passes,
                           .warnings = read.warnings};
  const auto start = std::chrono::steady_clock::now();
  if (run.progress) run.progress({.pass = "index", .documents = summary.added});
  // The index comes last: a file can be withdrawn, a segment that questions have seen cannot.
  struct {
    ClueWriter& writer;
    void commit() const { writer.commit(); }
    void withdraw() const noexcept {}
  } const segment{writer};
  Outputs outputs;
  outputs.add(run.rejects);
  outputs.add(&segment);
  outputs.commit();
  const ClueIndexStat stat = index.stat();
  summary.texts = stat.texts;
  summary.segments = stat.segments.size();
  for (const ClueSegmentStat& each : stat.segments) {
    summary.index_bytes += each.bytes;
    summary.anchor_bytes += each.anchor_bytes;
  }
  summary.passes.push_back({"index", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), summary.text_bytes});
  summary.peak_memory_bytes = peak_memory_bytes();
  return summary;
}

std::string ClueIndexSummary::to_text(bool verbose) const {
  using namespace summary_parts;
  std::string text;
  append_format(text, "read {} = added {} + rejected {}\n", grouped(read), grouped(added), grouped(rejected));
  write_rejects(rejected_by_kind, text, kTextField);
  if (repaired > 0) append_format(text, "repaired texts: {}, malformed characters read as U+FFFD\n", grouped(repaired));
  write_invalid_ids(invalid_ids, text);
  append_format(text, "index: {} in {}, {}, of which the index proper {}\n", counted(texts, "text"), counted(segments, "segment"),
                data_size(index_bytes), data_size(anchor_bytes));
  if (!verbose) return text;
  write_passes(passes, text_bytes, text);
  write_machine(peak_memory_bytes, 0, threads, kernels, text);
  return text;
}

std::string ClueIndexSummary::to_json() const {
  using namespace summary_parts;
  std::string text = fmt::format(
      R"({{"read":{},"added":{},"rejected":{},"rejected_by_kind":{},"repaired":{},"malformed_texts":{},"invalid_ids":{},"text_bytes":{},)"
      R"("texts":{},"segments":{},"index_bytes":{},"anchor_bytes":{},"peak_memory_bytes":{},"recipe":{},"kernels":{},"threads":{},)",
      read, added, rejected, rejected_by_kind.to_json(), repaired, malformed_texts, invalid_ids, text_bytes, texts, segments, index_bytes,
      anchor_bytes, peak_memory_bytes, recipe.canonical_json(), json_string(kernels), threads);
  write_lists(passes, warnings, text);
  return text + "}";
}

}  // namespace neardup
