#include <optional>
#include <string>
#include <utility>

#include "io/json/field_projection.h"
#include "io/json/field_text.h"
#include "io/json/line_key.h"
#include "io/port/line_target.h"
#include "io/port/source_traits.h"
#include "io/table/table_rows_sink.h"
#include "neardup/io.h"

namespace neardup {
namespace {

class DocumentSink final : public Sink {
 public:
  DocumentSink(std::unique_ptr<LineTarget> target, Which which, const DocumentSource& source, const TargetOptions& options)
      : written_(which == Which::kKept ? Decision::kKeep : Decision::kRemove),
        source_(source),
        traits_(source),
        key_(target->key_member()),
        target_(std::move(target)) {
    if (!options.fields.empty()) projection_.emplace(options.fields, *options.recipe, key_);
  }

  [[nodiscard]] bool needs_parsed() const noexcept override { return traits_.any_text() || (projection_ && projection_->needs_text()); }

  void format(const Record& record, const Verdict& verdict, std::string& out) const override {
    if (verdict.decision != written_) return;
    if (!traits_.is_text(record.where.source)) {
      format_line(record, record.raw, out);
    } else if (key_.empty() && !projection_) {
      append_text_line(record, out);
    } else {
      std::string line;
      append_text_line(record, line);
      format_line(record, line, out);
    }
    out.push_back('\n');
  }
  void append(uint32_t, std::string_view bytes) override { target_->append(bytes); }
  void commit() override { target_->commit(); }
  void withdraw() noexcept override { target_->withdraw(); }

 private:
  static void append_text_line(const Record& record, std::string& out) {
    out += "{\"id\":";
    append_json_string(record.id, out);
    out += ",\"text\":";
    append_json_string(record.text, out);
    out += '}';
  }
  void format_line(const Record& record, std::string_view line, std::string& out) const {
    if (projection_) {
      projection_->write(record, line, source_, out);
    } else if (key_.empty()) {
      out += line;
    } else {
      append_keyed_line(key_, line, record, source_, out);
    }
  }

  const Decision written_;
  const DocumentSource& source_;
  const TraitsOf traits_;
  const std::string key_;  // LineTarget::key_member()
  std::optional<FieldProjection> projection_;
  const std::unique_ptr<LineTarget> target_;
};

}  // namespace

std::unique_ptr<Sink> make_document_sink(const std::string& target, Which which, const DocumentSource& source,
                                         const TargetOptions& options) {
  const RowsWritten written = which == Which::kKept ? RowsWritten::kKept : RowsWritten::kRemoved;
  if (options.fields.empty()) {
    if (auto rows = make_table_rows_sink(target, written, source, options)) return rows;
  }
  return std::make_unique<DocumentSink>(open_target(target, options), which, source, options);
}

}  // namespace neardup
