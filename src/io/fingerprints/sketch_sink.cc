#include <fmt/format.h>

#include "base/format.h"
#include "io/bytes/compression.h"
#include "io/bytes/name_ending.h"
#include "io/bytes/output_file.h"
#include "io/fingerprints/sketch_array.h"
#include "io/json/field_text.h"
#include "neardup/io.h"
#include "neardup/tools/sketch_sink.h"

namespace neardup {
namespace {

class TextSketchSink : public SketchSink {
 public:
  TextSketchSink(const std::string& path, const DocumentSource& source, FingerprintText text) : source_(source), file_(path), text_(text) {}
  void begin(const Recipe& recipe) override {
    bits_ = recipe.fingerprints() ? recipe.bits : 0;
    check_fingerprint_text(text_, bits_);
  }
  void commit() override { file_.commit(); }
  void withdraw() noexcept override { file_.withdraw(); }

 protected:
  void append_code(Fingerprint128 fingerprint, std::string& out) const { append_fingerprint(text_, bits_, fingerprint, out); }
  static void append_lanes(std::span<const uint32_t> signature, std::string& out) {
    for (size_t i = 0; i < signature.size(); ++i) {
      if (i > 0) out.push_back(',');
      append_number(signature[i], out);
    }
  }

  const DocumentSource& source_;
  OutputFile file_;
  const FingerprintText text_;
  uint32_t bits_ = 0;  // 0: signatures
  std::string line_;
};

class JsonSketchSink final : public TextSketchSink {
 public:
  using TextSketchSink::TextSketchSink;

  void begin(const Recipe& recipe) override {
    TextSketchSink::begin(recipe);
    begin_ = fmt::format(R"({{"recipe_id":"{:016x}","source":)", recipe.id());
  }
  void format(const DocumentSketch& sketch, std::string& out) const override {
    out += ",\"id\":";
    if (sketch.has_id) {
      append_json_string(sketch.id, out);
    } else {
      out += "null";
    }
    append_format(out, R"(,"exact":"{:016x}{:016x}","features":{},"too_short":{},"{}":)", sketch.exact.high, sketch.exact.low,
                  sketch.features, sketch.too_short, bits_ == 0 ? "signature" : "fingerprint");
    if (sketch.too_short) {
      out += "null";
    } else if (bits_ == 0) {
      out.push_back('[');
      append_lanes(sketch.signature, out);
      out.push_back(']');
    } else {
      out.push_back('"');
      append_code(sketch.fingerprint, out);
      out.push_back('"');
    }
    out += "}\n";
  }
  void append(const DocumentId& where, std::string_view formatted) override {
    line_ = begin_;
    append_json_string(source_.source_name(where.source), line_);
    line_ += ",\"row\":";
    append_number(where.row, line_);
    line_ += formatted;
    file_.append(line_);
  }

 private:
  std::string begin_;
};

class TsvSketchSink final : public TextSketchSink {
 public:
  using TextSketchSink::TextSketchSink;

  void begin(const Recipe& recipe) override {
    TextSketchSink::begin(recipe);
    file_.append(fmt::format("id\tsource\trow\t{}\n", bits_ == 0 ? "signature" : "fingerprint"));
  }
  // The place stands between the two cells: append() finds it by the first tab.
  void format(const DocumentSketch& sketch, std::string& out) const override {
    append_tsv_cell(sketch.id, out);
    out.push_back('\t');
    if (!sketch.too_short && bits_ == 0) append_lanes(sketch.signature, out);
    if (!sketch.too_short && bits_ != 0) append_code(sketch.fingerprint, out);
    out.push_back('\n');
  }
  void append(const DocumentId& where, std::string_view formatted) override {
    const size_t tab = formatted.find('\t') + 1;
    line_ = formatted.substr(0, tab);
    append_tsv_cell(source_.source_name(where.source), line_);
    line_.push_back('\t');
    append_number(where.row, line_);
    line_.push_back('\t');
    line_ += formatted.substr(tab);
    file_.append(line_);
  }
};

}  // namespace

std::unique_ptr<SketchSink> make_sketch_sink(const std::string& path, const DocumentSource& source, FingerprintText fingerprints) {
  const std::string_view name = without_compression_suffix(path);
  if (has_ending(name, ".npy") || has_ending(name, ".bin")) return std::make_unique<ArraySketchSink>(path, has_ending(name, ".npy"));
  if (has_ending(name, ".tsv")) return std::make_unique<TsvSketchSink>(path, source, fingerprints);
  return std::make_unique<JsonSketchSink>(path, source, fingerprints);
}

}  // namespace neardup
