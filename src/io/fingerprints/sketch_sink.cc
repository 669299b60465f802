// Implements make_sketch_sink() of neardup/io.h: sketches as lines of text, or as one array of numbers for programs that take them as
// features.
#include "neardup/tools/sketch_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "base/format.h"
#include "base/open_file.h"
#include "io/bytes/compression.h"
#include "io/bytes/name_ending.h"
#include "io/bytes/output_file.h"
#include "io/json/field_text.h"
#include "neardup/error.h"
#include "neardup/io.h"

namespace neardup {
namespace {

constexpr size_t kNpyHeaderBytes = 128;
constexpr size_t kStageBytes = 1u << 20;

template <typename Number>
void append_number_bytes(Number number, std::string& out) {
  for (size_t i = 0; i < sizeof number; ++i) out.push_back(static_cast<char>(number >> (8 * i) & 0xFF));
}

// The first kNpyHeaderBytes of a .npy file: uint64 of fingerprints, else uint32; `columns` 1 is an array of one dimension under uint64.
std::string npy_header(uint64_t rows, uint32_t columns, bool fingerprints) {
  std::string header("\x93NUMPY\x01\x00", 8);
  append_number_bytes(static_cast<uint16_t>(kNpyHeaderBytes - 10), header);
  const std::string shape = fingerprints && columns == 1 ? fmt::format("({},)", rows) : fmt::format("({}, {})", rows, columns);
  header += fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", fingerprints ? "<u8" : "<u4", shape);
  header.resize(kNpyHeaderBytes - 1, ' ');
  return header + '\n';
}

// NumPy's format 1.0, or its bytes alone. Little endian. The header of a .npy file has the number of rows, which is known at the end: it
// has a fixed size and is overwritten at commit(). Row i is the i-th document that was not rejected; a text that is too short has a row of
// zeros.
class ArraySketchSink final : public SketchSink {
 public:
  // With a header, `path` must be a plain file: Error{kUsage}.
  ArraySketchSink(const std::string& path, bool header) {
    if (!header) {
      stream_.emplace(path);
      return;
    }
    if (compression_of_name(path) != Compression::kNone) {
      throw Error(ErrorCode::kUsage, fmt::format("'{}': an array with a header cannot be compressed, because the header is written last: "
                                                 "take a name that ends in .npy, or in .bin{}",
                                                 path, path.substr(path.rfind('.'))));
    }
    if (const PathKind kind = path_kind(path); kind != PathKind::kMissing && kind != PathKind::kFile) {
      throw Error(ErrorCode::kUsage, fmt::format("'{}' is not a regular file: the header of an array is written last", path));
    }
    file_.emplace(path);
  }

  void begin(const Recipe& recipe) override {
    fingerprints_ = recipe.fingerprints();
    columns_ = fingerprints_ ? recipe.bits / 64 : recipe.lanes;
    if (file_) file_->append(npy_header(0, columns_, fingerprints_));
  }
  void format(const DocumentSketch& sketch, std::string& out) const override {
    if (sketch.too_short) {
      out.append(columns_ * (fingerprints_ ? sizeof(uint64_t) : sizeof(uint32_t)), '\0');
      return;
    }
    if (!fingerprints_) {
      for (const uint32_t lane : sketch.signature) append_number_bytes(lane, out);
      return;
    }
    append_number_bytes(sketch.fingerprint.low, out);
    if (columns_ == 2) append_number_bytes(sketch.fingerprint.high, out);
  }
  void append(const DocumentId&, std::string_view formatted) override {
    ++rows_;
    if (stream_) return stream_->append(formatted);
    staged_ += formatted;
    if (staged_.size() < kStageBytes) return;
    file_->append(staged_);
    staged_.clear();
  }
  void commit() override {
    if (stream_) return stream_->commit();
    if (!finished_) {
      file_->append(staged_);
      file_->overwrite(0, npy_header(rows_, columns_, fingerprints_));
      finished_ = true;
    }
    file_->commit();
  }
  void withdraw() noexcept override {
    if (stream_) return stream_->withdraw();
    file_->withdraw();
  }

 private:
  std::optional<AtomicFile> file_;    // with a header
  std::optional<OutputFile> stream_;  // without
  std::string staged_;                // of file_
  bool fingerprints_ = false;
  uint32_t columns_ = 0;
  uint64_t rows_ = 0;
  bool finished_ = false;
};

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
  // The place belongs between the two cells: append() finds it by the first tab.
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
