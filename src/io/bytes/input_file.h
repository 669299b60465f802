// InputFile: a regular file with random access that must not change while a run reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/open_file.h"

namespace neardup {

/// Identifies a state of a file, to detect changes.
struct FileStamp {
  uint64_t device = 0;
  uint64_t inode = 0;
  uint64_t size = 0;
  int64_t modified_ns = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// Reads from any number of threads.
class InputFile {
 public:
  /// Throws Error{kInput}: "cannot open 'x': No such file or directory"; also for a file that is not regular (any more).
  explicit InputFile(const std::string& path);

  [[nodiscard]] FileStamp stamp() const;
  /// Throws Error{kInput} when the file is no longer the expected one.
  void check(const FileStamp& expected) const;
  /// Reads `bytes` bytes, fewer only at the end of the file. Throws Error{kInput}.
  size_t read_at(uint64_t offset, char* to, size_t bytes) const;
  /// The same, but a file that ends too early is an error.
  void read_exactly(uint64_t offset, char* to, size_t bytes) const;
  /// Asks the system to read ahead.
  void will_need(uint64_t offset, uint64_t bytes) const noexcept;

  [[nodiscard]] int descriptor() const noexcept { return file_.get(); }

 private:
  const std::string path_;
  FileDescriptor file_;
};

}  // namespace neardup
