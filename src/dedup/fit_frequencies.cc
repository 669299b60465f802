#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/atomic_file.h"
#include "base/parallel.h"
#include "dedup/batch_line.h"
#include "dedup/corpus_frequencies.h"
#include "dedup/frequent_words.h"
#include "dedup/output_pass.h"
#include "features/document_frequency.h"
#include "features/frequency_builder.h"
#include "features/shingles.h"
#include "neardup/doctor.h"
#include "neardup/frequencies.h"
#include "neardup/plan.h"
#include "neardup/sketcher.h"

namespace neardup {
namespace {

constexpr size_t kMaxWarnings = 5;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class FrequencyPass {
 public:
  FrequencyPass(const Options& options, const RunPlan& plan, const FrequencyRun& run)
      : run_(run),
        sketcher_(tokens_only(plan.recipe)),
        builder_(plan.threads, plan.memory_bytes, options.temp_dir),
        scratches_(plan.threads),
        slots_(OrderedLine::slot_count(plan.threads)) {
    summary.recipe_name = plan.recipe.name;
    summary.recipe_id = plan.recipe.id();
    summary.kernels = kernels_in_use();
    summary.threads = plan.threads;
  }

  void count() {
    const auto start = Clock::now();
    for_each_batch(
        *run_.source, summary.threads, {run_.progress, run_.stop}, "count",
        [this](uint32_t worker, Batch& batch, uint64_t, size_t slot) { read(worker, batch, slots_[slot]); },
        [this](Batch& batch, uint64_t, size_t slot) { return take(batch, slots_[slot]); });
    summary.passes.push_back({"count", seconds_since(start), summary.text_bytes});
  }

  void write(FrequencyWriter& writer, AtomicFile& table) {
    builder_.write(writer);
    writer.finish(frequency_description(sketcher_.recipe().canonical_json()), builder_.documents(), table);
    summary.spilled_bytes = builder_.spilled_bytes();
  }

  // Once more through the corpus: the table knows hashes only.
  void name(FrequentWords& words) {
    const auto start = Clock::now();
    for_each_batch(
        *run_.source, summary.threads, {run_.progress, run_.stop}, "words",
        [&](uint32_t worker, Batch& batch, uint64_t, size_t) {
          batch.read(Batch::Need::kParsed, {}, [&](uint32_t, const Record& record) {
            if (record.problem.empty()) words.look_at(worker, sketcher_.tokenize(record.text, scratches_[worker]));
          });
        },
        [](Batch&, uint64_t, size_t) -> uint64_t { return 0; });
    summary.passes.push_back({"words", seconds_since(start), summary.text_bytes});
  }

  Summary summary;

 private:
  struct Slot {
    std::vector<bool> rejected;  // by record
    bool any_rejected = false;
    uint64_t text_bytes = 0;
    uint64_t repaired = 0;
  };

  void read(uint32_t worker, Batch& batch, Slot& slot) {
    slot = {};
    Sketcher::Scratch& scratch = scratches_[worker];
    batch.read(Batch::Need::kParsed, {}, [&](uint32_t, const Record& record) {
      const bool rejected = !record.problem.empty();
      slot.rejected.push_back(rejected);
      slot.any_rejected |= rejected;
      if (rejected) return;
      slot.text_bytes += record.text.size();
      slot.repaired += record.repaired;
      hash_tokens(sketcher_.tokenize(record.text, scratch), scratch.features);
      builder_.add(worker, scratch.features);
    });
  }

  uint64_t take(Batch& batch, const Slot& slot) {
    if (batch.source() != source_) rows_before_ = 0;
    source_ = batch.source();
    summary.read += slot.rejected.size();
    summary.text_bytes += slot.text_bytes;
    summary.repaired += slot.repaired;
    if (slot.any_rejected) pass_on_rejects(batch, slot);
    rows_before_ += batch.rows();
    return slot.rejected.size();
  }

  void pass_on_rejects(Batch& batch, const Slot& slot) {
    batch.read(
        Batch::Need::kParsed, [&](uint32_t i) { return slot.rejected[i]; },
        [&](uint32_t, Record record) {
          if (record.where.source == source_) record.where.row += rows_before_;
          if (run_.rejects != nullptr) run_.rejects->append(record);
          if (summary.rejected++ < kMaxWarnings) {
            summary.warnings.push_back(
                fmt::format("{}:{}: rejected: {}", run_.source->source_name(record.where.source), record.where.row, record.problem));
          }
        });
  }

  const FrequencyRun& run_;
  const Sketcher sketcher_;
  DocumentFrequencyBuilder builder_;
  std::vector<Sketcher::Scratch> scratches_;
  std::vector<Slot> slots_;
  uint32_t source_ = 0;
  uint64_t rows_before_ = 0;
};

}  // namespace

Summary fit_frequencies(const Options& options, const FrequencyRun& run) {
  const RunPlan plan = plan_run(options);
  AtomicFile table(run.output);
  std::optional<AtomicFile> words_file;
  if (!run.words.empty()) words_file.emplace(run.words);

  FrequencyPass pass(options, plan, run);
  pass.count();
  FrequencyWriter writer(run.least_frequency, options.temp_dir);
  if (words_file) writer.remember_top(run.top_words);
  pass.write(writer, table);
  Summary& summary = pass.summary;
  summary.kept = summary.read - summary.rejected;
  if (words_file) {
    FrequentWords words(writer.top(), plan.threads);
    pass.name(words);
    words_file->append(words.table(summary.kept));
  }

  Outputs outputs;
  outputs.add(&table);
  outputs.add(words_file ? &*words_file : nullptr);
  outputs.add(run.rejects);
  outputs.commit();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  summary.peak_memory_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  return std::move(summary);
}

}  // namespace neardup
