#include "neardup/map_documents.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "dedup/batch_line.h"
#include "dedup/output_pass.h"
#include "neardup/doctor.h"

namespace neardup {
namespace {

constexpr size_t kMaxWarnings = 5;

// What a worker makes of one batch. Rows count from the start of the batch until the batches before it are known.
struct Pieces {
  struct Item {
    DocumentId where;
    size_t end;  // of its part of `bytes`; a rejected record has none
    bool rejected;
  };
  std::string bytes;
  std::vector<Item> items;
  uint64_t text_bytes = 0;
  uint64_t short_texts = 0;
  uint64_t repaired = 0;
  bool any_rejected = false;
};

class MapPass {
 public:
  MapPass(const MapDocument& map, const MapRun& run, uint32_t threads)
      : map_(map), run_(run), slots_(batch_slots(*run.source, resolve_threads(threads))) {
    summary.kernels = kernels_in_use();
    summary.threads = resolve_threads(threads);
  }

  void go(const std::string& pass) {
    for_each_batch(
        *run_.source, summary.threads, {run_.progress, run_.stop}, pass, [](Batch& batch, uint64_t) { batch.fetch(Batch::Need::kParsed); },
        [this](uint32_t worker, Batch& batch, uint64_t, size_t slot) { read(batch, worker, slots_[slot]); },
        [this](Batch& batch, uint64_t, size_t slot) -> uint64_t {
          write(batch, slots_[slot]);
          return slots_[slot].items.size();
        });
  }

  Summary summary;

 private:
  void read(Batch& batch, uint32_t worker, Pieces& pieces) const {
    pieces = {};
    batch.read(Batch::Need::kParsed, {}, [&](uint32_t, const Record& record) {
      const bool rejected = !record.problem.empty();
      if (!rejected) {
        pieces.short_texts += map_(worker, record, pieces.bytes);
        pieces.text_bytes += record.text.size();
        pieces.repaired += record.repaired;
      }
      pieces.any_rejected |= rejected;
      pieces.items.push_back({record.where, pieces.bytes.size(), rejected});
    });
  }

  void write(Batch& batch, Pieces& pieces) {
    // A batch that goes on in a source begins where the one before it ended; other sources begin inside it.
    if (batch.source() != source_) rows_before_ = 0;
    source_ = batch.source();
    size_t begin = 0;
    for (Pieces::Item& item : pieces.items) {
      if (item.where.source == source_) item.where.row += rows_before_;
      if (!item.rejected && run_.sink != nullptr)
        run_.sink->append(item.where, std::string_view(pieces.bytes).substr(begin, item.end - begin));
      begin = item.end;
    }
    if (run_.sink != nullptr) run_.sink->flush();
    if (pieces.any_rejected) pass_on_rejects(batch, pieces);
    rows_before_ += batch.rows();
    summary.read += pieces.items.size();
    summary.text_bytes += pieces.text_bytes;
    summary.short_texts += pieces.short_texts;
    summary.repaired += pieces.repaired;
  }

  // Read once more: the bytes of rejected records were not kept.
  void pass_on_rejects(Batch& batch, const Pieces& pieces) {
    batch.read(
        Batch::Need::kParsed, [&](uint32_t i) { return pieces.items[i].rejected; },
        [&](uint32_t i, Record record) {
          record.where = pieces.items[i].where;
          if (run_.rejects != nullptr) run_.rejects->append(record);
          summary.rejected_by_kind.add(record.reject_kind);
          if (summary.rejected++ < kMaxWarnings) {
            summary.warnings.push_back(
                fmt::format("{}:{}: rejected: {}", run_.source->source_name(record.where.source), record.where.row, record.problem));
          }
        });
  }

  const MapDocument& map_;
  const MapRun& run_;
  std::vector<Pieces> slots_;
  uint32_t source_ = 0;
  uint64_t rows_before_ = 0;
};

}  // namespace

Summary map_documents(const std::string& pass_name, uint32_t threads, const MapDocument& map, const MapRun& run) {
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
