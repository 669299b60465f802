#include <utility>

#include "io/field_text.h"
#include "io/line_target.h"
#include "io/source_traits.h"
#include "io/table_rows_sink.h"
#include "neardup/io.h"

namespace neardup {
namespace {

class DocumentSink final : public Sink {
 public:
  DocumentSink(std::unique_ptr<LineTarget> target, Which which, const DocumentSource& source)
      : written_(which == Which::kKept ? Decision::kKeep : Decision::kRemove), traits_(source), target_(std::move(target)) {}

  [[nodiscard]] bool needs_parsed() const noexcept override { return traits_.any_text(); }

  void format(const Record& record, const Verdict& verdict, std::string& out) const override {
    if (verdict.decision != written_) return;
    if (traits_.is_text(record.where.source)) {
      out += "{\"id\":";
      append_json_string(record.id, out);
      out += ",\"text\":";
      append_json_string(record.text, out);
      out += "}\n";
    } else {
      out += record.raw;
      out.push_back('\n');
    }
  }
  void append(uint32_t, std::string_view bytes) override { target_->append(bytes); }
  void commit() override { target_->commit(); }
  void withdraw() noexcept override { target_->withdraw(); }

 private:
  const Decision written_;
  const TraitsOf traits_;
  const std::unique_ptr<LineTarget> target_;
};

}  // namespace

std::unique_ptr<Sink> make_document_sink(const std::string& target, Which which, const DocumentSource& source,
                                         const TargetOptions& options) {
  const RowsWritten written = which == Which::kKept ? RowsWritten::kKept : RowsWritten::kRemoved;
  if (auto rows = make_table_rows_sink(target, written, source, options)) return rows;
  return std::make_unique<DocumentSink>(open_target(target, options), which, source);
}

}  // namespace neardup
