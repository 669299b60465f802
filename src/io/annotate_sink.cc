#include <utility>

#include "io/json/field_text.h"
#include "io/json/line_key.h"
#include "io/port/line_target.h"
#include "io/port/source_traits.h"
#include "io/port/verdict_fields.h"
#include "io/table/table_rows_sink.h"
#include "neardup/io.h"

namespace neardup {
namespace {

constexpr std::string_view kPrefix = "neardup_";
constexpr std::string_view kWhite = " \t\n\r";

class AnnotateSink final : public Sink {
 public:
  AnnotateSink(std::unique_ptr<LineTarget> target, const DocumentSource& source)
      : source_(source), traits_(source), target_(std::move(target)) {}

  [[nodiscard]] bool needs_parsed() const noexcept override { return traits_.any_text(); }

  void format(const Record& record, const Verdict& verdict, std::string& out) const override {
    const std::string_view key = target_->key_member();
    if (target_->updates()) {
      out += "{\"";
      out += key;
      out += "\":";
      out += member_of(record.raw, key);
      append_verdict_json(kPrefix, verdict, source_, out);
      out += "}\n";
      return;
    }
    if (key.empty()) return format_line(record, verdict, out);
    std::string line;
    format_line(record, verdict, line);
    append_keyed_line(key, line, record, source_, out);
  }
  void append(uint32_t, std::string_view bytes) override { target_->append(bytes); }
  void commit() override { target_->commit(); }
  void withdraw() noexcept override { target_->withdraw(); }

 private:
  void format_line(const Record& record, const Verdict& verdict, std::string& out) const {
    // A document is an object, so its last brace is the one that closes it, and the only one that white space alone can follow.
    const size_t brace = record.raw.rfind('}');
    if (traits_.is_text(record.where.source) || brace == std::string_view::npos || brace == 0) {
      out += "{\"id\":";
      append_json_string(record.id, out);
      out += ",\"text\":";
      append_json_string(record.text, out);
      append_verdict_json(kPrefix, verdict, source_, out);
      out += "}\n";
      return;
    }
    out.append(record.raw, 0, brace);
    const size_t fields = out.size();
    append_verdict_json(kPrefix, verdict, source_, out);
    const size_t before = record.raw.find_last_not_of(kWhite, brace - 1);
    if (record.raw[before] == '{') out.erase(fields, 1);  // no member before: no comma
    out.append(record.raw, brace);
    out.push_back('\n');
  }

  const DocumentSource& source_;
  const TraitsOf traits_;
  const std::unique_ptr<LineTarget> target_;
};

}  // namespace

std::unique_ptr<Sink> make_annotate_sink(const std::string& target, const DocumentSource& source, const TargetOptions& options) {
  if (auto rows = make_table_rows_sink(target, RowsWritten::kAnnotated, source, options)) return rows;
  TargetOptions annotated = options;
  annotated.lines = TargetOptions::Lines::kAnnotated;
  return std::make_unique<AnnotateSink>(open_target(target, annotated), source);
}

}  // namespace neardup
