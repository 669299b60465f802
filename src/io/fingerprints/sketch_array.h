// ArraySketchSink: sketches as one array of numbers, for programs that take them as features: NumPy's format 1.0, or its bytes alone.
//
// Little endian. The header of a .npy file tells the number of rows, which is known at the end: it has a fixed size and is written over
// at commit(). Row i is the i-th document that was not rejected; a text that is too short has a row of zeros.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "io/bytes/output_file.h"
#include "neardup/tools/sketch_sink.h"

namespace neardup {

/// The first kNpyHeaderBytes of a .npy file: uint64 if `lanes` is 0, else uint32; `columns` 1 is an array of one dimension under uint64.
inline constexpr size_t kNpyHeaderBytes = 128;
std::string npy_header(uint64_t rows, uint32_t columns, bool fingerprints);

class ArraySketchSink final : public SketchSink {
 public:
  /// With a header, `path` must be a plain file: Error{kUsage}.
  ArraySketchSink(const std::string& path, bool header);

  void begin(const Recipe& recipe) override;
  void format(const DocumentSketch& sketch, std::string& out) const override;
  void append(const DocumentId& where, std::string_view formatted) override;
  void commit() override;
  void withdraw() noexcept override;

 private:
  std::optional<AtomicFile> file_;    // with a header
  std::optional<OutputFile> stream_;  // without
  std::string staged_;                // of file_
  bool fingerprints_ = false;
  uint32_t columns_ = 0;
  uint64_t rows_ = 0;
  bool finished_ = false;
};

}  // namespace neardup
