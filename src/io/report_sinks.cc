// The sinks of neardup/io.h other than those for documents: verdicts, pairs, rejected records, and pieces of text made by a command.
#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "io/bytes/compression.h"
#include "io/bytes/name_ending.h"
#include "io/bytes/output_file.h"
#include "io/json/added_members.h"
#include "io/json/field_text.h"
#include "io/port/connectors.h"
#include "io/port/source_traits.h"
#include "neardup/io.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr size_t kFlushBytes = 1u << 16;  // of pairs
constexpr size_t kPieceBytes = 1u << 20;  // of a rejected text

class VerdictSink : public Sink {
 public:
  VerdictSink(std::unique_ptr<LineTarget> target, const DocumentSource& source)
      : source_(source), key_(target->key_member()), target_(std::move(target)) {}
  [[nodiscard]] bool needs_raw() const noexcept override { return false; }
  void append(uint32_t, std::string_view bytes) override { target_->append(bytes); }
  void commit() override { target_->commit(); }
  void withdraw() noexcept override { target_->withdraw(); }

 protected:
  const DocumentSource& source_;
  const std::string key_;  // LineTarget::key_member()

 private:
  const std::unique_ptr<LineTarget> target_;
};

class JsonVerdictSink final : public VerdictSink {
 public:
  using VerdictSink::VerdictSink;
  void format(const Record& record, const Verdict& verdict, std::string& out) const override {
    out += '{';
    if (!key_.empty()) {
      append_json_string(key_, out);
      out += ':';
      append_place_key(record.where, source_, out);
      out += ',';
    }
    out += "\"id\":";
    if (record.has_id) {
      append_json_string(record.id, out);
    } else {
      out += "null";
    }
    out += ",\"source\":";
    append_json_string(source_.source_name(record.where.source), out);
    out += ",\"row\":";
    append_number(record.where.row, out);
    append_verdict_json("", verdict, source_, out);
    out += "}\n";
  }
};

class TsvVerdictSink final : public VerdictSink {
 public:
  TsvVerdictSink(std::unique_ptr<LineTarget> target, const DocumentSource& source) : VerdictSink(std::move(target), source) {
    append(0, "id\tsource\trow\tverdict\treason\tkeeper_id\tkeeper_source\tkeeper_row\tsimilarity\tcluster_id\tcluster_size\n");
  }
  void format(const Record& record, const Verdict& verdict, std::string& out) const override {
    append_tsv_cell(record.id, out);
    out.push_back('\t');
    append_tsv_cell(source_.source_name(record.where.source), out);
    out.push_back('\t');
    append_number(record.where.row, out);
    out.push_back('\t');
    out += to_string(verdict.decision);
    out.push_back('\t');
    out += to_string(verdict.reason);
    if (verdict.decision == Decision::kKeep) {
      out += "\t\t\t\t";
    } else {
      out.push_back('\t');
      append_tsv_cell(verdict.keeper_id, out);
      out.push_back('\t');
      append_tsv_cell(source_.source_name(verdict.keeper.source), out);
      out.push_back('\t');
      append_number(verdict.keeper.row, out);
      out.push_back('\t');
      append_similarity(verdict.similarity, out);
    }
    out.push_back('\t');
    append_tsv_cell(source_.source_name(verdict.cluster.source), out);
    out.push_back(':');
    append_number(verdict.cluster.row, out);
    out.push_back('\t');
    append_number(verdict.cluster_size, out);
    out.push_back('\n');
  }
};

class FilePairSink final : public PairSink {
 public:
  FilePairSink(const std::string& path, const DocumentSource& source, Measure measure)
      : source_(source),
        columns_(measure == Measure::kContainment ? Columns{"contained", "container", "containment"}
                                                  : Columns{"id_a", "id_b", "similarity"}),
        json_(has_ending(without_compression_suffix(path), ".jsonl")),
        file_(path) {
    if (!json_) pending_ = fmt::format("{}\t{}\t{}\n", columns_[0], columns_[1], columns_[2]);
  }

  void append(const End& a, const End& b, double similarity) override {
    if (json_) {
      append_name("{\"", columns_[0]);
      append_json_string(name_of(a), pending_);
      append_name(",\"", columns_[1]);
      append_json_string(name_of(b), pending_);
      append_name(",\"", columns_[2]);
      append_similarity(similarity, pending_);
      pending_ += "}\n";
    } else {
      append_tsv_cell(name_of(a), pending_);
      pending_.push_back('\t');
      append_tsv_cell(name_of(b), pending_);
      pending_.push_back('\t');
      append_similarity(similarity, pending_);
      pending_.push_back('\n');
    }
    if (pending_.size() >= kFlushBytes) flush();
  }
  void commit() override {
    flush();
    file_.commit();
  }
  void withdraw() noexcept override { file_.withdraw(); }

 private:
  using Columns = std::array<std::string_view, 3>;

  void append_name(std::string_view before, std::string_view name) {
    pending_ += before;
    pending_ += name;
    pending_ += "\":";
  }
  // The user's id, or SOURCE:ROW.
  std::string_view name_of(const End& end) {
    if (end.has_id) return end.id;
    place_ = source_.source_name(end.where.source);
    place_.push_back(':');
    append_number(end.where.row, place_);
    return place_;
  }
  void flush() {
    file_.append(pending_);
    pending_.clear();
  }

  const DocumentSource& source_;
  const Columns columns_;
  const bool json_;
  OutputFile file_;
  std::string pending_;
  std::string place_;
};

// The longest prefix that does not end inside a character.
std::string_view next_piece(std::string_view text) noexcept {
  if (text.size() <= kPieceBytes) return text;
  size_t end = kPieceBytes;
  for (size_t back = 0; back < 3 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80; ++back) --end;
  return text.substr(0, end);
}

// JSON Lines: the line and '\n'; nothing for damage of a compressed file between two lines. Text files: {"id": path, "problem": ...,
// "text": ...}, the text as far as it could be read.
class FileRejectSink final : public RejectSink {
 public:
  FileRejectSink(const std::string& path, const DocumentSource& source) : traits_(source), file_(path) {}

  void append(const Record& record) override {
    if (traits_.is_text(record.where.source)) {
      append_text(record);
    } else if (!record.raw.empty()) {
      file_.append(record.raw);
      file_.append("\n");
    }
  }
  void commit() override { file_.commit(); }
  void withdraw() noexcept override { file_.withdraw(); }

 private:
  // Piece by piece: a file may be rejected for being larger than memory.
  void append_text(const Record& record) {
    piece_ = "{\"id\":";
    append_json_string(record.id, piece_);
    piece_ += ",\"problem\":";
    append_json_string(record.problem, piece_);
    piece_ += ",\"text\":\"";
    file_.append(piece_);
    for (std::string_view rest = record.raw; !rest.empty();) {
      const std::string_view piece = next_piece(rest);
      piece_.clear();
      append_json_escaped(piece, piece_);
      file_.append(piece_);
      rest.remove_prefix(piece.size());
    }
    file_.append("\"}\n");
  }

  const TraitsOf traits_;
  OutputFile file_;
  std::string piece_;
};

// Pieces, unchanged.
class FilePieceSink final : public PieceSink {
 public:
  explicit FilePieceSink(const std::string& path) : file_(path) {}
  void append(const DocumentId&, std::string_view piece) override { file_.append(piece); }
  void commit() override { file_.commit(); }
  void withdraw() noexcept override { file_.withdraw(); }

 private:
  OutputFile file_;
};

}  // namespace

std::unique_ptr<Sink> make_verdict_sink(const std::string& target, const DocumentSource& source, const TargetOptions& options) {
  if (!is_uri(target) && has_ending(without_compression_suffix(target), ".tsv")) {
    return std::make_unique<TsvVerdictSink>(open_file_target(target), source);
  }
  TargetOptions verdicts = options;
  verdicts.lines = TargetOptions::Lines::kVerdicts;
  return std::make_unique<JsonVerdictSink>(open_target(target, verdicts), source);
}

std::unique_ptr<PairSink> make_pair_sink(const std::string& path, const DocumentSource& source, Measure measure) {
  return std::make_unique<FilePairSink>(path, source, measure);
}

std::unique_ptr<RejectSink> make_reject_sink(const std::string& path, const DocumentSource& source) {
  return std::make_unique<FileRejectSink>(path, source);
}

std::unique_ptr<PieceSink> make_piece_sink(const std::string& path) {
  return std::make_unique<FilePieceSink>(path);
}

}  // namespace neardup
