#include "dedup/sketch_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/hash.h"
#include "base/limits.h"
#include "base/parallel.h"
#include "dedup/pass/source_window.h"
#include "dedup/run_folder/sketched_batch.h"
#include "index/hamming/key_groups.h"
#include "neardup/error.h"

namespace neardup {
namespace {

struct Slot {
  SketchedBatch batch;
  std::vector<uint8_t> key_rows;  // document by document
  std::string stored;             // the batch as it goes into the journal; empty: it comes from there
};

struct Worker {
  Sketcher::Scratch scratch;
  std::vector<uint32_t> sketch;
  Sketcher::Scratch scratch_also;
  std::vector<uint32_t> sketch_also;
};

// An empty sketch stands for a document that has none: it takes part in nothing, but the rows must stay in step.
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
    slot.batch.lacks.back() = static_cast<uint8_t>(slot.batch.lacks.back() | (sketch.empty() ? lack : 0));
  }
}

void sketch_batch(const SketchPassInputs& in, Batch& batch, Worker& worker, Slot& slot) {
  slot.batch.clear();
  slot.key_rows.clear();
  const Recipe& recipe = in.sketcher.recipe();
  const bool wanted = in.sketches.lsh || in.sketches.codes;
  worker.sketch.resize(in.sketcher.sketch_words());
  if (in.also != nullptr) worker.sketch_also.resize(in.also->sketch_words());
  const auto add = [&](const Record& record, uint8_t flags, const ExactHash& exact, bool has, bool has_also) {
    constexpr std::span<const uint32_t> kNone;
    slot.batch.documents.add(record, flags, exact);
    slot.batch.lacks.push_back(0);
    add_sketch(in.sketches, recipe, has ? worker.sketch : kNone, slot);
    if (in.also != nullptr) add_sketch(in.sketches, in.also->recipe(), has_also ? worker.sketch_also : kNone, slot);
  };
  batch.read(Batch::Need::kText, {}, [&](uint32_t, const Record& record) {
    if (!record.problem.empty() || record.text.size() > limits::kMaxTextBytes) {
      slot.batch.documents.reject();
      return;
    }
    slot.batch.text_bytes += record.text.size();
    const Sketcher::Result sketch =
        wanted ? in.sketcher.sketch(record.text, worker.scratch, worker.sketch) : in.sketcher.exact(record.text, worker.scratch);
    const bool also = in.also != nullptr && !in.also->sketch(record.text, worker.scratch_also, worker.sketch_also).too_short;
    add(record, sketch.too_short ? uint8_t{BatchDocuments::kShort} : uint8_t{0}, sketch.exact, !sketch.too_short, also);
  });
  if (in.sketches.lsh) slot.batch.block = BandKeys::transpose(in.sketches.lsh->keys.plan(), slot.key_rows);
  slot.batch.source = batch.source();
  slot.batch.rows = batch.rows();
}

// From the journal, or from the source and ready for the journal.
void load_or_sketch(const SketchPassInputs& in, Batch& batch, uint64_t ordinal, Worker& worker, Slot& slot) {
  slot.stored.clear();
  if (in.journal == nullptr || !in.journal->has(ordinal)) {
    if (in.only_stored) throw Error(ErrorCode::kInput, "the input changed since the run began: it has more records now");
    sketch_batch(in, batch, worker, slot);
    if (in.journal != nullptr) slot.batch.save(slot.stored);
    return;
  }
  slot.batch.load(in.journal->get(ordinal), in.journal->name_of(ordinal));
  if (slot.batch.source != batch.source()) {
    throw Error(ErrorCode::kInput, fmt::format("'{}' is of another input: its batch {} is of input {}, here it is of input {}",
                                               in.journal->name_of(ordinal), ordinal, slot.batch.source + 1, batch.source() + 1));
  }
}

void keep_sketches(Sketches& sketches, SketchedBatch& batch) {
  if (sketches.lsh) {
    sketches.lsh->keys.append(std::move(batch.block));
    sketches.lsh->filter_rows.append(std::move(batch.filter_rows));
  }
  if (sketches.codes) sketches.codes->codes.insert(sketches.codes->codes.end(), batch.codes.begin(), batch.codes.end());
  if (sketches.lsh && sketches.codes) sketches.lacks.insert(sketches.lacks.end(), batch.lacks.begin(), batch.lacks.end());
}

// A source may give a longer text than its own kind of input lets through.
void name_long_text(Record& record, std::string& problem) {
  if (!record.problem.empty()) return;
  problem = fmt::format("a text of {} bytes is above the limit of {}", record.text.size(), limits::kMaxTextBytes);
  record.problem = problem;
  record.reject_kind = RejectKind::kTooLong;
}

// Reads the rejected records once more, because their bytes were not kept: straight from the batch to the sink.
void pass_on_rejects(const SketchPassInputs& in, Batch& batch, const RejectedRecords& rejected, const DocumentTable& table, size_t ordinal,
                     SketchPassRejects& rejects, Summary& summary) {
  batch.read(
      Batch::Need::kParsed, [&](uint32_t i) { return rejected.contains(i); },
      [&](uint32_t, Record record) {
        record.where = table.place(ordinal, record.where);
        std::string problem;
        name_long_text(record, problem);
        const bool reference = table.is_reference_source(record.where.source);
        RejectTally& tally = reference ? rejects.reference : rejects.inputs;
        tally.add(record, in.source.source_name(record.where.source), record.where.row, summary.warnings);
        if (in.rejects != nullptr && !reference) in.rejects->append(record);
        ++(reference ? summary.reference_documents : summary.read);
      });
}

void note_rejects(const SketchPassRejects& rejects, Summary& summary, Progress* known) {
  summary.rejected = rejects.inputs.total();
  summary.rejected_by_kind = rejects.inputs.by_kind();
  summary.reference_rejected = rejects.reference.total();
  summary.reference_rejected_by_kind = rejects.reference.by_kind();
  if (known == nullptr) return;
  known->rejected = summary.rejected;
  known->rejected_by_kind = summary.rejected_by_kind;
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
    summary.without_rank_value += !table.has_value(d);
  }
}

// Two documents with one id are told apart by their places; but a user who joins outputs by id should know.
void look_for_duplicate_ids(const SketchPassInputs& in, const DocumentTable& table, uint64_t memory_bytes, Summary& summary) {
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
  std::vector<Twice> least;  // the first few by input order
  for_each_equal_key(in.threads, memory_bytes, {.parts = table.batch_count(), .keys = table.size()}, space, read,
                     [&](uint32_t first, uint32_t later) {
                       if (table.id(first) != table.id(later)) return;
                       const std::lock_guard lock(mutex);
                       ++summary.duplicate_ids;
                       const Twice twice{later, first};
                       least.insert(std::upper_bound(least.begin(), least.end(), twice), twice);
                       if (least.size() > kMaxWarnings) least.pop_back();
                     });
  for (const Twice& twice : least) {
    const DocumentId later = table.place(twice.later);
    const DocumentId first = table.place(twice.first);
    summary.warnings.push_back(fmt::format("{}:{}: id '{}' was already used at {}:{}; the documents are told apart by source and row",
                                           in.source.source_name(later.source), later.row, table.id(twice.later),
                                           in.source.source_name(first.source), first.row));
  }
}

}  // namespace

bool run_sketch_pass(const SketchPassInputs& in, DocumentTable& table, SketchPassRejects& rejects, Summary& summary, uint64_t& read_bytes) {
  std::vector<Worker> workers(in.threads);
  std::vector<Slot> slots(batch_slots(in.source, in.threads));
  const uint64_t first = table.batch_count();
  const uint64_t documents_before = table.size();
  SourceWindow window(in.source, {.first = first, .input_bytes = in.source.input_bytes()});
  bool full = false;
  bool more = false;  // after it was full
  for_each_batch(
      window, in.threads, in.monitor, "sketch",
      [&](Batch& batch, uint64_t i) {
        if (in.journal == nullptr || !in.journal->has(first + i)) batch.fetch(Batch::Need::kText);
      },
      [&](uint32_t worker, Batch& batch, uint64_t i, size_t slot) { load_or_sketch(in, batch, first + i, workers[worker], slots[slot]); },
      [&](Batch& batch, uint64_t i, size_t index) {
        // Those that were on their way when the slice was full come again in the next one: where a slice ends depends on nothing else.
        if (full) {
          more = true;
          return BatchPass::kPutBack;
        }
        const uint64_t ordinal = first + i;
        Slot& slot = slots[index];
        table.append(slot.batch.documents, slot.batch.source, slot.batch.rows);
        if (in.journal != nullptr) in.journal->put(ordinal, slot.stored);
        keep_sketches(in.sketches, slot.batch);
        const RejectedRecords& rejected = slot.batch.documents.rejected;
        if (rejected.count() > 0) pass_on_rejects(in, batch, rejected, table, ordinal, rejects, summary);
        note_rejects(rejects, summary, in.monitor.known);
        count_documents(table, ordinal, summary);
        summary.text_bytes += slot.batch.text_bytes;
        read_bytes += batch.input_bytes();
        full = in.slice != 0 && table.size() - documents_before >= in.slice;
        if (full) window.close();
        return uint64_t{slot.batch.documents.records};
      });
  if (more || (full && in.source.next() != nullptr)) return false;
  if (in.journal != nullptr) {
    in.journal->finish();
    if (in.journal->end() > table.batch_count()) {
      throw Error(ErrorCode::kInput,
                  fmt::format("the input has {} batches, and had at least {} when the run began", table.batch_count(), in.journal->end()));
    }
  }
  rejects.inputs.finish(summary.read);
  rejects.reference.finish(summary.reference_documents);
  table.finish();
  look_for_duplicate_ids(in, table, in.group_memory_bytes, summary);
  return true;
}

void sketch_part(const SketchPassInputs& in, std::span<const std::unique_ptr<Batch>> batches, uint64_t first) {
  std::vector<Worker> workers(in.threads);
  std::vector<Slot> slots(batches.size());
  parallel_for(in.threads, batches.size(), 1,
               [&](uint32_t worker, size_t i) { load_or_sketch(in, *batches[i], first + i, workers[worker], slots[i]); });
  for (size_t i = 0; i < slots.size(); ++i) in.journal->put(first + i, slots[i].stored);
  in.journal->finish();
}

}  // namespace neardup
