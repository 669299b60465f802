#include "neardup/sketch_all.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <vector>

#include "base/parallel.h"
#include "dedup/batch_line.h"
#include "dedup/output_pass.h"
#include "features/feature_set.h"
#include "neardup/doctor.h"

namespace neardup {
namespace {

constexpr size_t kMaxWarnings = 5;

// What a worker makes of one batch. Rows count from the start of the batch until the batches before it are known.
struct Sketches {
  struct Item {
    DocumentId where;
    size_t end;  // of its part of `lines`; a rejected record has none
    bool rejected;
  };
  std::string lines;
  std::vector<Item> items;
  uint64_t text_bytes = 0;
  uint64_t short_texts = 0;
  uint64_t repaired = 0;
  bool any_rejected = false;
};

struct Worker {
  Sketcher::Scratch scratch;
  std::vector<uint32_t> signature;
};

class SketchPass {
 public:
  SketchPass(const Options& options, const SketchRun& run)
      : run_(run),
        sketcher_(Recipe::load(options.recipe)),
        workers_(resolve_threads(options.threads)),
        slots_(OrderedLine::slot_count(resolve_threads(options.threads))) {
    summary.recipe_name = sketcher_.recipe().name;
    summary.recipe_id = sketcher_.recipe().id();
    summary.kernels = kernels_in_use();
    summary.threads = static_cast<uint32_t>(workers_.size());
  }

  void go() {
    for_each_batch(
        *run_.source, summary.threads, {run_.progress, run_.stop}, "sketch",
        [this](uint32_t worker, Batch& batch, uint64_t, size_t slot) { read(batch, workers_[worker], slots_[slot]); },
        [this](Batch& batch, uint64_t, size_t slot) -> uint64_t {
          write(batch, slots_[slot]);
          return slots_[slot].items.size();
        });
  }

  Summary summary;

 private:
  void read(Batch& batch, Worker& worker, Sketches& sketches) const {
    sketches = {};
    worker.signature.resize(sketcher_.recipe().lanes);
    batch.read(Batch::Need::kParsed, {}, [&](uint32_t, const Record& record) {
      const bool rejected = !record.problem.empty();
      if (!rejected) add(record, worker, sketches);
      sketches.any_rejected |= rejected;
      sketches.items.push_back({record.where, sketches.lines.size(), rejected});
    });
  }

  void add(const Record& record, Worker& worker, Sketches& sketches) const {
    const Sketcher::Result result = sketcher_.sketch(record.text, worker.scratch, worker.signature);
    make_feature_set(worker.scratch.features, worker.scratch.sort_space);
    sketches.text_bytes += record.text.size();
    sketches.short_texts += result.too_short;
    sketches.repaired += record.repaired;
    if (run_.sink == nullptr) return;
    run_.sink->format({.id = record.id,
                       .has_id = record.has_id,
                       .exact = result.exact,
                       .features = worker.scratch.features.size(),
                       .too_short = result.too_short,
                       .signature = result.too_short ? std::span<const uint32_t>() : worker.signature},
                      sketches.lines);
  }

  void write(Batch& batch, Sketches& sketches) {
    // A batch that goes on in a source begins where the one before it ended; other sources begin inside it.
    if (batch.source() != source_) rows_before_ = 0;
    source_ = batch.source();
    size_t begin = 0;
    for (Sketches::Item& item : sketches.items) {
      if (item.where.source == source_) item.where.row += rows_before_;
      if (!item.rejected && run_.sink != nullptr)
        run_.sink->append(item.where, std::string_view(sketches.lines).substr(begin, item.end - begin));
      begin = item.end;
    }
    if (sketches.any_rejected) pass_on_rejects(batch, sketches);
    rows_before_ += batch.rows();
    summary.read += sketches.items.size();
    summary.text_bytes += sketches.text_bytes;
    summary.short_texts += sketches.short_texts;
    summary.repaired += sketches.repaired;
  }

  // Read once more: the bytes of rejected records were not kept.
  void pass_on_rejects(Batch& batch, const Sketches& sketches) {
    batch.read(
        Batch::Need::kParsed, [&](uint32_t i) { return sketches.items[i].rejected; },
        [&](uint32_t i, Record record) {
          record.where = sketches.items[i].where;
          if (run_.rejects != nullptr) run_.rejects->append(record);
          if (summary.rejected++ < kMaxWarnings) {
            summary.warnings.push_back(
                fmt::format("{}:{}: rejected: {}", run_.source->source_name(record.where.source), record.where.row, record.problem));
          }
        });
  }

  const SketchRun& run_;
  const Sketcher sketcher_;
  std::vector<Worker> workers_;
  std::vector<Sketches> slots_;
  uint32_t source_ = 0;
  uint64_t rows_before_ = 0;
};

}  // namespace

Summary sketch_all(const Options& options, const SketchRun& run) {
  const auto start = std::chrono::steady_clock::now();
  SketchPass pass(options, run);
  pass.go();
  Outputs outputs;
  outputs.add(run.sink);
  outputs.add(run.rejects);
  outputs.commit();
  Summary& summary = pass.summary;
  summary.kept = summary.read - summary.rejected;
  summary.passes.push_back({"sketch", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), summary.text_bytes});
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  summary.peak_memory_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  return std::move(summary);
}

}  // namespace neardup
