// OutputFile: the file or standard output ("-") that sinks write to; compressed if the name says so.
//
// A file gets its name at commit() and not before (law 6). Standard output has no commit: written bytes cannot be withdrawn. On a terminal,
// bytes that would control it are escaped (neardup/tools/printable.h); files and pipes get all bytes unchanged.
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

  /// Appends any number of bytes: the file does not depend on how they are cut into calls.
  void append(std::string_view bytes);
  /// Flushes pending bytes to uncompressed standard output, for readers that follow it; does nothing for others.
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
