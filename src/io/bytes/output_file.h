// OutputFile: what every sink writes to. A path, or "-" for standard output; compressed when the name says so.
//
// A file appears under its name at commit() and not before (law 6). Standard output has no such moment: what was written is gone. Where it
// is a terminal, bytes that would control it are escaped (neardup/tools/printable.h); a file and a pipe get every byte as it is.
//
// output_file.cc also implements ResultFile (neardup/tools/result_file.h) and remove_partial_outputs() of one file (neardup/io.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "io/bytes/compression.h"

namespace neardup {

class OutputFile {
 public:
  /// Throws Error{kOutput}.
  explicit OutputFile(const std::string& path);

  /// Bytes of any number and cut: the file does not depend on how they come.
  void append(std::string_view bytes);
  /// Passes on what waits to standard output, uncompressed, where somebody may read along; does nothing for others.
  void flush();
  /// Writes everything to the disk and closes; after this only commit() and withdraw().
  void finish();
  void commit();
  void withdraw() noexcept;

 private:
  void write(std::string_view bytes);
  void write_to_standard_output(std::string_view bytes);
  void pass_on(std::string_view bytes, bool last);

  std::optional<AtomicFile> file_;  ///< nothing for standard output
  std::unique_ptr<Compressor> compressor_;
  std::string staged_;
  std::string compressed_;
  std::string cut_;  ///< the beginning of a character, for a terminal
  uint64_t written_ = 0;
  bool terminal_ = false;
  bool finishing_ = false;
  bool finished_ = false;
};

}  // namespace neardup
