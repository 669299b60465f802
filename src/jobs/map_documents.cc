#include "neardup/tools/map_documents.h"

#include <chrono>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "dedup/corpus/rejected_records.h"
#include "dedup/pass/ordered_pipeline.h"
#include "dedup/pass/outputs.h"
#include "dedup/report/input_warnings.h"
#include "dedup/report/reject_tally.h"
#include "neardup/stop.h"
#include "neardup/tools/instruction_sets.h"
#include "neardup/tools/machine.h"

namespace neardup {
namespace {

// The result of a worker for one batch. Rows count from the start of the batch until the batches before it are known.
struct Pieces {
  struct Item {
    DocumentId where;
    size_t end;  // of its part of `bytes`
  };
  std::string bytes;
  std::vector<Item> items;   // the documents
  RejectedRecords rejected;  // the other records
  uint32_t records = 0;
  uint64_t text_bytes = 0;
  uint64_t short_texts = 0;
  uint64_t repaired = 0;
  uint64_t malformed = 0;
  uint64_t invalid_ids = 0;
};

class MapPass {
 public:
  MapPass(const MapDocument& map, const MapRun& run, uint32_t threads)
      : map_(map), run_(run), rejects_(run.max_rejects), slots_(batch_slots(*run.source, resolve_threads(threads))) {
    summary.kernels = kernels_in_use();
    summary.threads = resolve_threads(threads);
  }

  void go(const std::string& pass) {
    for_each_batch(
        *run_.source, summary.threads, {run_.progress}, pass, [](Batch& batch, uint64_t) { batch.fetch(Batch::Need::kParsed); },
        [this](uint32_t worker, Batch& batch, uint64_t, size_t slot) { read(batch, worker, slots_[slot]); },
        [this](Batch& batch, uint64_t, size_t slot) -> uint64_t {
          write(batch, slots_[slot]);
          return slots_[slot].records;
        });
    rejects_.finish(summary.read);
    summary.rejected = rejects_.total();
    summary.rejected_by_kind = rejects_.by_kind();
    warn_of_invalid_ids(summary.invalid_ids, summary.warnings);
    warn_of_malformed_texts(summary.malformed_texts, summary.warnings);
  }

  Summary summary;

 private:
  void read(Batch& batch, uint32_t worker, Pieces& pieces) const {
    pieces = {};
    batch.read(Batch::Need::kParsed, {}, [&](uint32_t, const Record& record) {
      ++pieces.records;
      if (!record.problem.empty()) {
        pieces.rejected.add(pieces.records - 1);
        return;
      }
      pieces.short_texts += map_(worker, record, pieces.bytes);
      pieces.text_bytes += record.text.size();
      pieces.repaired += record.repaired;
      pieces.malformed += record.malformed;
      pieces.invalid_ids += record.bad_id;
      pieces.items.push_back({record.where, pieces.bytes.size()});
    });
  }

  void write(Batch& batch, Pieces& pieces) {
    // A batch that continues a source begins at the end of the one before it; other sources begin inside it.
    if (batch.source() != source_) rows_before_ = 0;
    source_ = batch.source();
    size_t begin = 0;
    for (const Pieces::Item& item : pieces.items) {
      if (run_.sink != nullptr) run_.sink->append(place(item.where), std::string_view(pieces.bytes).substr(begin, item.end - begin));
      begin = item.end;
    }
    if (run_.sink != nullptr) run_.sink->flush();
    if (pieces.rejected.count() > 0) pass_on_rejects(batch, pieces.rejected);
    rows_before_ += batch.rows();
    summary.read += pieces.records;
    summary.text_bytes += pieces.text_bytes;
    summary.short_texts += pieces.short_texts;
    summary.repaired += pieces.repaired;
    summary.malformed_texts += pieces.malformed;
    summary.invalid_ids += pieces.invalid_ids;
  }

  // Of a record of the batch that is written, its place in the input.
  [[nodiscard]] DocumentId place(DocumentId within) const noexcept {
    if (within.source == source_) within.row += rows_before_;
    return within;
  }

  // Reads them again: the bytes of rejected records were not kept.
  void pass_on_rejects(Batch& batch, const RejectedRecords& rejected) {
    batch.read(
        Batch::Need::kParsed, [&](uint32_t i) { return rejected.contains(i); },
        [&](uint32_t, Record record) {
          record.where = place(record.where);
          rejects_.add(record, run_.source->source_name(record.where.source), record.where.row, summary.warnings);
          if (run_.rejects != nullptr) run_.rejects->append(record);
        });
  }

  const MapDocument& map_;
  const MapRun& run_;
  RejectTally rejects_;
  std::vector<Pieces> slots_;
  uint32_t source_ = 0;
  uint64_t rows_before_ = 0;
};

}  // namespace

Summary map_documents(const std::string& pass_name, uint32_t threads, const MapDocument& map, const MapRun& run) {
  const StopScope scope(&run.stop);
  const auto start = std::chrono::steady_clock::now();
  MapPass pass(map, run, threads);
  pass.go(pass_name);
  Outputs outputs;
  outputs.add(run.sink);
  outputs.add(run.rejects);
  outputs.commit();
  Summary& summary = pass.summary;
  summary.kept = summary.read - summary.rejected;
  summary.passes.push_back(
      {pass_name, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), summary.text_bytes});
  summary.peak_memory_bytes = peak_memory_bytes();
  return std::move(summary);
}

}  // namespace neardup
