#include "io/field_text.h"
#include "io/output_file.h"
#include "io/source_traits.h"
#include "neardup/io.h"

namespace neardup {
namespace {

class DocumentSink final : public Sink {
 public:
  DocumentSink(const std::string& path, Which which, const DocumentSource& source)
      : written_(which == Which::kKept ? Decision::kKeep : Decision::kRemove), traits_(source), file_(path) {}

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
  void append(uint32_t, std::string_view bytes) override { file_.append(bytes); }
  void commit() override { file_.commit(); }
  void withdraw() noexcept override { file_.withdraw(); }

 private:
  const Decision written_;
  const TraitsOf traits_;
  OutputFile file_;
};

}  // namespace

std::unique_ptr<Sink> make_document_sink(const std::string& path, Which which, const DocumentSource& source) {
  return std::make_unique<DocumentSink>(path, which, source);
}

}  // namespace neardup
