#include <utility>

#include "io/bytes/compression.h"
#include "io/bytes/name_ending.h"
#include "io/json/field_text.h"
#include "io/json/line_key.h"
#include "io/port/line_target.h"
#include "io/port/verdict_fields.h"
#include "neardup/io.h"

namespace neardup {
namespace {

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
    append(0, "id\tsource\trow\tverdict\treason\tkeeper_id\tkeeper_source\tkeeper_row\tsimilarity\n");
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
      out += "\t\t\t\t\n";
      return;
    }
    out.push_back('\t');
    append_tsv_cell(verdict.keeper_id, out);
    out.push_back('\t');
    append_tsv_cell(source_.source_name(verdict.keeper.source), out);
    out.push_back('\t');
    append_number(verdict.keeper.row, out);
    out.push_back('\t');
    append_similarity(verdict.similarity, out);
    out.push_back('\n');
  }
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

}  // namespace neardup
