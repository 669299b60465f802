#include <fmt/format.h>

#include <iterator>

#include "io/field_text.h"
#include "io/output_file.h"
#include "neardup/sketch_all.h"

namespace neardup {
namespace {

class FileSketchSink final : public SketchSink {
 public:
  FileSketchSink(const std::string& path, const DocumentSource& source, uint64_t recipe_id)
      : source_(source), file_(path), begin_(fmt::format(R"({{"recipe_id":"{:016x}","source":)", recipe_id)) {}

  void format(const DocumentSketch& sketch, std::string& out) const override {
    out += ",\"id\":";
    if (sketch.has_id) {
      append_json_string(sketch.id, out);
    } else {
      out += "null";
    }
    fmt::format_to(std::back_inserter(out), R"(,"exact":"{:016x}{:016x}","features":{},"too_short":{},"signature":)", sketch.exact.high,
                   sketch.exact.low, sketch.features, sketch.too_short);
    if (sketch.too_short) {
      out += "null}\n";
      return;
    }
    char separator = '[';
    for (const uint32_t lane : sketch.signature) {
      out.push_back(separator);
      append_number(lane, out);
      separator = ',';
    }
    out += "]}\n";
  }

  void append(const DocumentId& where, std::string_view formatted) override {
    line_ = begin_;
    append_json_string(source_.source_name(where.source), line_);
    line_ += ",\"row\":";
    append_number(where.row, line_);
    line_ += formatted;
    file_.append(line_);
  }
  void commit() override { file_.commit(); }
  void withdraw() noexcept override { file_.withdraw(); }

 private:
  const DocumentSource& source_;
  OutputFile file_;
  std::string begin_;
  std::string line_;
};

}  // namespace

std::unique_ptr<SketchSink> make_sketch_sink(const std::string& path, const DocumentSource& source, uint64_t recipe_id) {
  return std::make_unique<FileSketchSink>(path, source, recipe_id);
}

}  // namespace neardup
