#include "dedup/run/sketch_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/equal_keys.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/parallel.h"
#include "dedup/checkpoint/sketched_batch.h"
#include "dedup/match/candidates/candidates.h"
#include "dedup/pass/ordered_pipeline.h"
#include "dedup/pass/source_window.h"
#include "dedup/report/input_warnings.h"
#include "neardup/error.h"
#include "neardup/tools/readable.h"
#include "sketch/sketcher_access.h"

namespace neardup {
namespace {

struct Slot {
  SketchedBatch batch;
  std::vector<uint8_t> key_rows;  // document by document
  std::string stored;             // the batch for the journal; empty: it comes from the journal
};

struct Worker {
  Sketcher::Scratch scratch;
  std::vector<uint32_t> sketch;
  Sketcher::Scratch scratch_also;
  std::vector<uint32_t> sketch_also;
};

// An empty sketch represents a document without one: it takes part in nothing, but keeps the rows aligned.
void add_signature(const LshSketches& sketches, std::span<const uint32_t> signature, Slot& slot) {
  const LshPlan& plan = sketches.keys.plan();
  if (signature.empty()) {
    slot.key_rows.resize(slot.key_rows.size() + BandKeys::row_bytes(plan));
    slot.batch.filter_rows.resize(slot.batch.filter_rows.size() + sketches.filter.row_bytes());
  } else {
    BandKeys::append_row(plan, signature, slot.key_rows);
    sketches.filter.append_row(signature, slot.batch.filter_rows);
  }
}

void add_sketch(const Sketches& sketches, const Recipe& recipe, std::span<const uint32_t> sketch, Slot& slot) {
  if (recipe.fingerprints()) {
    if (sketches.codes) slot.batch.codes.push_back(sketch.empty() ? Fingerprint128{} : Sketcher::fingerprint(sketch));
  } else if (sketches.lsh) {
    add_signature(*sketches.lsh, sketch, slot);
  }
  if (sketches.lsh && sketches.codes) {
    const auto lack = recipe.fingerprints() ? Candidates::kCode : Candidates::kSignature;
    slot.batch.missing_sketches.back() = static_cast<uint8_t>(slot.batch.missing_sketches.back() | (sketch.empty() ? lack : 0));
  }
}

// `sketches` selects the sketches to make; it is not changed.
void sketch_batch(const Sketchers& sketchers, const Sketches& sketches, Batch& batch, Worker& worker, Slot& slot) {
  slot.batch.clear();
  slot.key_rows.clear();
  const Sketcher& sketcher = *sketchers.sketcher;
  const Sketcher* const second = sketchers.also.get();
  const bool wanted = sketches.lsh || sketches.codes;
  worker.sketch.resize(sketcher.sketch_words());
  if (second != nullptr) worker.sketch_also.resize(second->sketch_words());
  const auto add = [&](const Record& record, uint8_t flags, const ExactHash& exact, bool has, bool has_also) {
    constexpr std::span<const uint32_t> kNone;
    slot.batch.documents.add(record, flags, exact);
    slot.batch.missing_sketches.push_back(0);
    add_sketch(sketches, sketcher.recipe(), has ? worker.sketch : kNone, slot);
    if (second != nullptr) add_sketch(sketches, second->recipe(), has_also ? worker.sketch_also : kNone, slot);
  };
  batch.read(Batch::Need::kText, {}, [&](uint32_t, const Record& record) {
    if (!record.problem.empty() || record.text.size() > limits::kMaxTextBytes) {
      slot.batch.documents.reject();
      return;
    }
    slot.batch.text_bytes += record.text.size();
    const bool no_block = sketchers.blocks && !SketcherAccess::enter_block(sketcher, record.block, worker.scratch);
    const Sketcher::Result sketch =
        wanted ? sketcher.sketch(record.text, worker.scratch, worker.sketch) : sketcher.exact(record.text, worker.scratch);
    const bool is_short = sketch.too_short || !SketcherAccess::has_length(worker.scratch, sketchers.min_length);
    const bool also = second != nullptr && !second->sketch(record.text, worker.scratch_also, worker.sketch_also).too_short;
    const int flags = (is_short ? BatchDocuments::kShort : 0) | (no_block ? BatchDocuments::kNoBlock : 0);
    add(record, static_cast<uint8_t>(flags), sketch.exact, !is_short, also);
  });
  if (sketches.lsh) slot.batch.block = BandKeys::transpose(sketches.lsh->keys.plan(), slot.key_rows);
  slot.batch.source = batch.source();
  slot.batch.rows = batch.rows();
}

// From the journal, or from the source and ready for the journal.
void load_or_sketch(const SketchPassInputs& in, const Sketches& sketches, Batch& batch, uint64_t ordinal, Worker& worker, Slot& slot) {
  slot.stored.clear();
  if (in.journal == nullptr || !in.journal->has(ordinal)) {
    if (in.only_stored) throw Error(ErrorCode::kInput, "the input changed since the run began: it now has more records");
    sketch_batch(in.sketchers, sketches, batch, worker, slot);
    if (in.journal != nullptr) slot.batch.save(slot.stored);
    return;
  }
  slot.batch.load(in.journal->get(ordinal), in.journal->name_of(ordinal));
  if (slot.batch.source != batch.source()) {
    throw Error(ErrorCode::kInput, fmt::format("'{}' is of another input: its batch {} is of input {}, but now it is of input {}",
                                               in.journal->name_of(ordinal), ordinal, slot.batch.source + 1, batch.source() + 1));
  }
}

void keep_sketches(Sketches& sketches, SketchedBatch& batch) {
  if (sketches.lsh) {
    sketches.lsh->keys.append(std::move(batch.block));
    sketches.lsh->filter_rows.append(std::move(batch.filter_rows));
  }
  if (sketches.codes) sketches.codes->codes.insert(sketches.codes->codes.end(), batch.codes.begin(), batch.codes.end());
  if (sketches.lsh && sketches.codes)
    sketches.missing_sketches.insert(sketches.missing_sketches.end(), batch.missing_sketches.begin(), batch.missing_sketches.end());
}

// A source may return a longer text than its kind of input allows.
void name_long_text(Record& record, std::string& problem) {
  if (!record.problem.empty()) return;
  problem = fmt::format("a text of {} bytes is above the limit of {}", record.text.size(), limits::kMaxTextBytes);
  record.problem = problem;
  record.reject_kind = RejectKind::kTooLong;
}

// Reads the rejected records once more, because their bytes were not kept: straight from the batch to the sink.
void pass_on_rejects(const RunContext& context, Batch& batch, const RejectedRecords& rejected, size_t ordinal, CorpusState& corpus,
                     Summary& summary) {
  batch.read(
      Batch::Need::kParsed, [&](uint32_t i) { return rejected.contains(i); },
      [&](uint32_t, Record record) {
        record.where = corpus.table.place(ordinal, record.where);
        std::string problem;
        name_long_text(record, problem);
        const bool reference = corpus.table.is_reference_source(record.where.source);
        RejectTally& tally = reference ? corpus.rejected_references : corpus.rejected;
        tally.add(record, context.source.source_name(record.where.source), record.where.row, summary.warnings);
        if (context.rejects != nullptr && !reference) context.rejects->append(record);
        ++(reference ? summary.reference_documents : summary.read);
      });
}

void count_rejects(const CorpusState& corpus, Summary& summary, Progress& totals) {
  summary.rejected = corpus.rejected.total();
  summary.rejected_by_kind = corpus.rejected.by_kind();
  summary.reference_rejected = corpus.rejected_references.total();
  summary.reference_rejected_by_kind = corpus.rejected_references.by_kind();
  totals.rejected = summary.rejected;
  totals.rejected_by_kind = summary.rejected_by_kind;
}

void count_documents(const DocumentTable& table, size_t ordinal, Summary& summary) {
  const uint32_t end = table.first_document(ordinal) + table.documents(ordinal);
  for (uint32_t d = table.first_document(ordinal); d < end; ++d) {
    if (table.reference(d)) {
      ++summary.reference_documents;
      continue;
    }
    ++summary.read;
    summary.repaired += table.has(BatchDocuments::kRepaired, d);
    summary.malformed_texts += table.has(BatchDocuments::kMalformed, d);
    summary.invalid_ids += table.has(BatchDocuments::kBadId, d);
    summary.short_texts += table.too_short(d);
    summary.protected_documents += table.is_protected(d);
    summary.without_rank_value += !table.has_value(d);
  }
}

// Two documents with one id are told apart by their places; but a user who joins outputs by id should know.
void look_for_duplicate_ids(const RunContext& context, const DocumentTable& table, Summary& summary) {
  struct Twice {
    uint32_t later;
    uint32_t first;
    bool operator<(const Twice& other) const { return later < other.later; }
  };
  const auto read = [&](uint32_t, size_t batch, const auto& emit) {
    const uint32_t end = table.first_document(batch) + table.documents(batch);
    for (uint32_t d = table.first_document(batch); d < end; ++d) {
      if (table.has_id(d) && !table.reference(d)) emit(hash64(table.id(d)), d);
    }
  };
  KeySpace space;
  std::mutex mutex;
  std::vector<Twice> first_few;  // the first few by input order
  for_each_equal_key(context.threads, context.memory.grouping, {.parts = table.batch_count(), .keys = table.size()}, space, read,
                     [&](uint32_t first, uint32_t later) {
                       if (table.id(first) != table.id(later)) return;
                       const std::lock_guard lock(mutex);
                       ++summary.duplicate_ids;
                       const Twice twice{later, first};
                       first_few.insert(std::upper_bound(first_few.begin(), first_few.end(), twice), twice);
                       if (first_few.size() > kMaxWarnings) first_few.pop_back();
                     });
  for (const Twice& twice : first_few) {
    const DocumentId later = table.place(twice.later);
    const DocumentId first = table.place(twice.first);
    summary.warnings.push_back(fmt::format("{}:{}: id '{}' was already used at {}:{}; the documents are distinguished by source and row",
                                           context.source.source_name(later.source), later.row, table.id(twice.later),
                                           context.source.source_name(first.source), first.row));
  }
}

// All documents are there.
void finish(const SketchPassInputs& in, CorpusState& corpus, Summary& summary) {
  if (in.journal != nullptr) {
    in.journal->finish();
    if (in.journal->end() > corpus.table.batch_count()) {
      throw Error(ErrorCode::kInput, fmt::format("the input has {} batches, and had at least {} when the run began",
                                                 corpus.table.batch_count(), in.journal->end()));
    }
  }
  corpus.rejected.finish(summary.read);
  corpus.rejected_references.finish(summary.reference_documents);
  corpus.table.finish();
  look_for_duplicate_ids(in.context, corpus.table, summary);
}

uint64_t count_without_block(const DocumentTable& table) {
  uint64_t count = 0;
  for (uint32_t d = 0; d < table.size(); ++d) count += table.has(BatchDocuments::kNoBlock, d) && !table.reference(d);
  return count;
}

void warn(const SketchPassInputs& in, const CorpusState& corpus, Summary& summary) {
  warn_of_invalid_ids(summary.invalid_ids, summary.warnings);
  warn_of_malformed_texts(summary.malformed_texts, summary.warnings);
  warn_of_blocks(in.context.options.block_on, count_without_block(corpus.table), summary.read - summary.rejected, summary.warnings);
  warn_of_rank_values(in.context.options.keep, summary.without_rank_value, summary.read - summary.rejected, summary.warnings);
  warn_of_markup(in.context.source, in.context.options, in.sketchers.recipe(), summary.warnings);
}

// True at the end of the source.
bool read_slice(const SketchPassInputs& in, Progress& totals, CorpusState& corpus, Summary& summary) {
  const RunContext& context = in.context;
  DocumentTable& table = corpus.table;
  std::vector<Worker> workers(context.threads);
  std::vector<Slot> slots(batch_slots(context.source, context.threads));
  const uint64_t slice = in.only_stored ? 0 : context.slice_documents;
  const uint64_t first = table.batch_count();
  const uint64_t documents_before = table.size();
  SourceWindow window(context.source, {.first = first, .input_bytes = context.source.input_bytes()});
  bool full = false;
  bool more = false;  // after it was full
  for_each_batch(
      window, context.threads, context.monitor, "sketch",
      [&](Batch& batch, uint64_t i) {
        if (in.journal == nullptr || !in.journal->has(first + i)) batch.fetch(Batch::Need::kText);
      },
      [&](uint32_t worker, Batch& batch, uint64_t i, size_t slot) {
        load_or_sketch(in, corpus.sketches, batch, first + i, workers[worker], slots[slot]);
      },
      [&](Batch& batch, uint64_t i, size_t index) {
        // Batches in flight when the slice filled up are read again in the next slice, so that its end does not depend on timing.
        if (full) {
          more = true;
          return BatchPass::kPutBack;
        }
        const uint64_t ordinal = first + i;
        Slot& slot = slots[index];
        table.append(slot.batch.documents, slot.batch.source, slot.batch.rows);
        if (in.journal != nullptr) in.journal->put(ordinal, slot.stored);
        keep_sketches(corpus.sketches, slot.batch);
        const RejectedRecords& rejected = slot.batch.documents.rejected;
        if (rejected.count() > 0) pass_on_rejects(context, batch, rejected, ordinal, corpus, summary);
        count_rejects(corpus, summary, totals);
        count_documents(table, ordinal, summary);
        summary.text_bytes += slot.batch.text_bytes;
        corpus.read_bytes += batch.input_bytes();
        full = slice != 0 && table.size() - documents_before >= slice;
        if (full) window.close();
        return uint64_t{slot.batch.documents.records};
      });
  return !more && !(full && context.source.next() != nullptr);
}

}  // namespace

void run_sketch_pass(const SketchPassInputs& in, PassClock& clock, CorpusState& corpus, Summary& summary) {
  ++summary.slices;
  // The input is read once by all slices together.
  clock.totals().bytes_done = corpus.read_bytes;
  clock.totals().documents = corpus.table.size();
  clock.timed("sketch", [&] {
    const uint64_t before = summary.text_bytes;
    corpus.at_end = read_slice(in, clock.totals(), corpus, summary);
    if (corpus.at_end) finish(in, corpus, summary);
    return summary.text_bytes - before;
  });
  clock.totals().bytes_done = clock.totals().documents = 0;
  if (corpus.at_end) warn(in, corpus, summary);
  if (!corpus.sketches.lsh) return;
  const LshSketches& lsh = *corpus.sketches.lsh;
  corpus.spilled_bytes = std::max(corpus.spilled_bytes, lsh.keys.spilled_bytes() + lsh.filter_rows.spilled_bytes());
}

std::vector<TaskState> sketch_tasks(DocumentSource& source, const PassJournal& journal) {
  source.rewind();
  uint64_t batches = 0;
  while (source.next() != nullptr) ++batches;
  std::vector<TaskState> tasks;
  for (uint64_t first = 0; first < batches; first += PassJournal::kBatchesPerPart) {
    TaskState task{.first_batch = first, .batches = std::min(PassJournal::kBatchesPerPart, batches - first), .done = true};
    for (uint64_t i = 0; i < task.batches; ++i) task.done = task.done && journal.has(first + i);
    tasks.push_back(task);
  }
  return tasks;
}

void run_sketch_task(const SketchPassInputs& in, const Sketches& sketches, uint64_t task) {
  constexpr uint64_t kBatches = PassJournal::kBatchesPerPart;
  const RunContext& context = in.context;
  std::vector<std::unique_ptr<Batch>> batches;  // of the task
  uint64_t count = 0;
  context.source.rewind();
  for (auto batch = context.source.next(); batch; batch = context.source.next()) {
    if (count++ / kBatches == task) batches.push_back(std::move(batch));
  }
  if (batches.empty()) {
    const uint64_t tasks = (count + kBatches - 1) / kBatches;
    throw Error(ErrorCode::kUsage, fmt::format("task {} does not exist: the run has {}, numbered from 0", task, counted(tasks, "task")));
  }
  const uint64_t first = task * kBatches;
  std::vector<Worker> workers(context.threads);
  std::vector<Slot> slots(batches.size());
  parallel_for(context.threads, batches.size(), 1,
               [&](uint32_t worker, size_t i) { load_or_sketch(in, sketches, *batches[i], first + i, workers[worker], slots[i]); });
  for (size_t i = 0; i < slots.size(); ++i) in.journal->put(first + i, slots[i].stored);
  in.journal->finish();
}

}  // namespace neardup
