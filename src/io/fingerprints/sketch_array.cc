#include "io/fingerprints/sketch_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/open_file.h"
#include "io/bytes/compression.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr size_t kStageBytes = 1u << 20;

template <typename Number>
void append_number_bytes(Number number, std::string& out) {
  for (size_t i = 0; i < sizeof number; ++i) out.push_back(static_cast<char>(number >> (8 * i) & 0xFF));
}

}  // namespace

std::string npy_header(uint64_t rows, uint32_t columns, bool fingerprints) {
  std::string header("\x93NUMPY\x01\x00", 8);
  append_number_bytes(static_cast<uint16_t>(kNpyHeaderBytes - 10), header);
  const std::string shape = fingerprints && columns == 1 ? fmt::format("({},)", rows) : fmt::format("({}, {})", rows, columns);
  header += fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", fingerprints ? "<u8" : "<u4", shape);
  header.resize(kNpyHeaderBytes - 1, ' ');
  return header + '\n';
}

ArraySketchSink::ArraySketchSink(const std::string& path, bool header) {
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

void ArraySketchSink::begin(const Recipe& recipe) {
  fingerprints_ = recipe.fingerprints();
  columns_ = fingerprints_ ? recipe.bits / 64 : recipe.lanes;
  if (file_) file_->append(npy_header(0, columns_, fingerprints_));
}

void ArraySketchSink::format(const DocumentSketch& sketch, std::string& out) const {
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

void ArraySketchSink::append(const DocumentId&, std::string_view formatted) {
  ++rows_;
  if (stream_) return stream_->append(formatted);
  staged_ += formatted;
  if (staged_.size() < kStageBytes) return;
  file_->append(staged_);
  staged_.clear();
}

void ArraySketchSink::commit() {
  if (stream_) return stream_->commit();
  if (!finished_) {
    file_->append(staged_);
    file_->overwrite(0, npy_header(rows_, columns_, fingerprints_));
    finished_ = true;
  }
  file_->commit();
}

void ArraySketchSink::withdraw() noexcept {
  if (stream_) return stream_->withdraw();
  file_->withdraw();
}

}  // namespace neardup
