#include "neardup/tools/store_documents.h"

#include <fmt/format.h>

#include <cstring>

#include "base/format.h"
#include "dedup/report/summary_parts.h"
#include "neardup/tools/machine.h"
#include "neardup/tools/online_answer.h"
#include "neardup/tools/readable.h"

namespace neardup {
namespace {

// A piece is a byte that is 1 if there is an id, its length (u32), the id, and the text.
constexpr size_t kPieceHead = 1 + sizeof(uint32_t);

void write_piece(const Record& record, std::string& out) {
  out.push_back(record.has_id && !record.id.empty() ? 1 : 0);
  const auto id_bytes = static_cast<uint32_t>(record.id.size());
  out.append(reinterpret_cast<const char*>(&id_bytes), sizeof id_bytes);
  out += record.id;
  out += record.text;
}

// Collects the documents of a batch, and asks about them together.
class StoreSink final : public PieceSink {
 public:
  StoreSink(OnlineStore& store, const StoreDocuments& what, const DocumentSource& source, PieceSink* lines, StoreSummary& summary)
      : store_(store), what_(what), source_(source), lines_(lines), summary_(summary) {}

  void append(const DocumentId& where, std::string_view piece) override {
    uint32_t id_bytes = 0;
    std::memcpy(&id_bytes, piece.data() + 1, sizeof id_bytes);
    Waiting document{.where = where,
                     .id = name_of(where, piece[0] != 0, piece.substr(kPieceHead, id_bytes)),
                     .text = std::string(piece.substr(kPieceHead + id_bytes))};
    bytes_ += piece.size();
    waiting_.push_back(std::move(document));
    if (bytes_ >= kMostBytes) flush();
  }
  void flush() override {
    requests_.clear();
    for (const Waiting& document : waiting_) {
      requests_.push_back(
          {.id = document.id, .text = document.text, .insert = what_.insert, .replace = what_.replace, .touch = what_.touch});
    }
    store_.apply(requests_, answers_);
    for (size_t i = 0; i < waiting_.size(); ++i) {
      count(answers_[i]);
      if (lines_ == nullptr) continue;
      line_.clear();
      append_online_answer(waiting_[i].id, answers_[i], what_.insert, line_);
      line_ += '\n';
      lines_->append(waiting_[i].where, line_);
    }
    if (lines_ != nullptr) lines_->flush();
    waiting_.clear();
    bytes_ = 0;
  }
  void commit() override {
    if (what_.insert) store_.sync();
    if (lines_ != nullptr) lines_->commit();
  }
  void withdraw() noexcept override {
    if (lines_ != nullptr) lines_->withdraw();
  }

 private:
  static constexpr uint64_t kMostBytes = uint64_t{32} << 20;  // of documents that wait
  struct Waiting {
    DocumentId where;
    std::string id;
    std::string text;
  };

  // The rows of standard input begin at 1 each time: they would name other documents tomorrow. An empty id is refused.
  [[nodiscard]] std::string name_of(const DocumentId& where, bool has_id, std::string_view id) const {
    if (has_id) return std::string(id);
    const std::string_view source = source_.source_name(where.source);
    return source == "-" && what_.insert ? std::string() : fmt::format("{}:{}", source, where.row);
  }

  void count(const OnlineAnswer& answer) {
    switch (answer.outcome) {
      case OnlineOutcome::kDecided:
        break;
      case OnlineOutcome::kRepeated:
        ++summary_.repeated;
        return;
      case OnlineOutcome::kConflict:
        ++summary_.conflicts;
        return;
      case OnlineOutcome::kInvalid:
        ++summary_.invalid;
        return;
    }
    if (answer.decision == Decision::kKeep) {
      ++summary_.kept;
      summary_.short_texts += static_cast<uint64_t>(answer.reason == Reason::kShort);
    } else {
      ++summary_.removed;
      summary_.exact_copies += static_cast<uint64_t>(answer.reason == Reason::kExactCopy);
    }
  }

  OnlineStore& store_;
  const StoreDocuments& what_;
  const DocumentSource& source_;
  PieceSink* const lines_;
  StoreSummary& summary_;
  std::vector<Waiting> waiting_;
  uint64_t bytes_ = 0;
  std::vector<OnlineRequest> requests_;
  std::vector<OnlineAnswer> answers_;
  std::string line_;
};

}  // namespace

StoreSummary store_documents(const Options& options, const StoreDocuments& what, OnlineStore& store, const MapRun& run) {
  StoreSummary summary;
  StoreSink sink(store, what, *run.source, run.sink, summary);
  MapRun mapping = run;
  mapping.sink = &sink;
  const Summary mapped = map_documents(
      "check", options.threads,
      [](uint32_t, const Record& record, std::string& out) {
        write_piece(record, out);
        return false;
      },
      mapping);
  summary.read = mapped.read;
  summary.rejected = mapped.rejected;
  summary.rejected_by_kind = mapped.rejected_by_kind;
  summary.repaired = mapped.repaired;
  summary.malformed_texts = mapped.malformed_texts;
  summary.invalid_ids = mapped.invalid_ids;
  summary.text_bytes = mapped.text_bytes;
  summary.kernels = mapped.kernels;
  summary.threads = mapped.threads;
  summary.passes = mapped.passes;
  summary.warnings = mapped.warnings;
  summary.stored = store.stat().kept;
  summary.peak_memory_bytes = peak_memory_bytes();
  return summary;
}

std::string StoreSummary::to_text(bool verbose) const {
  using namespace summary_parts;
  std::string text;
  append_format(text, "read {} = kept {} + removed {} + repeated {} + refused {} + rejected {}\n", grouped(read), grouped(kept),
                grouped(removed), grouped(repeated), grouped(conflicts + invalid), grouped(rejected));
  if (removed > 0)
    append_format(text, "removed: {} exact copies, {} near-duplicates\n", grouped(exact_copies), grouped(removed - exact_copies));
  if (repeated > 0) append_format(text, "repeated: {} with the id and the text of a stored document; nothing changed\n", grouped(repeated));
  if (conflicts > 0)
    append_format(text, "refused: {} with the id of a stored document and another text; --replace-stored takes them\n", grouped(conflicts));
  if (invalid > 0) append_format(text, "refused: {} without an id, or with an id or a text that is too long\n", grouped(invalid));
  write_rejects(rejected_by_kind, text, kTextField);
  if (repaired > 0) append_format(text, "repaired texts: {}, malformed characters read as U+FFFD\n", grouped(repaired));
  write_invalid_ids(invalid_ids, text);
  append_format(text, "store: {}\n", counted(stored, "document"));
  if (!verbose) return text;
  write_passes(passes, text_bytes, text);
  write_machine(peak_memory_bytes, 0, threads, kernels, text);
  return text;
}

std::string StoreSummary::to_json() const {
  using namespace summary_parts;
  std::string text = fmt::format(
      R"({{"read":{},"kept":{},"short":{},"removed":{},"exact_copies":{},"repeated":{},"conflicts":{},"invalid":{},"rejected":{},)"
      R"("rejected_by_kind":{},"repaired":{},"malformed_texts":{},"invalid_ids":{},"text_bytes":{},"stored":{},"peak_memory_bytes":{},)",
      read, kept, short_texts, removed, exact_copies, repeated, conflicts, invalid, rejected, rejected_by_kind.to_json(), repaired,
      malformed_texts, invalid_ids, text_bytes, stored, peak_memory_bytes);
  append_format(text, R"("kernels":{},"threads":{},)", json_string(kernels), threads);
  write_lists(passes, warnings, text);
  return text + "}";
}

}  // namespace neardup
