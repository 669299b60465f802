// MappedFile: a file, or a part of one, as a span of memory that the system fills when it is read. Immutable; threads share it.
//
// A file can shrink while it is mapped, and a disk can fail. Then bytes read as zeros (where the program asked for that, see
// neardup/tools/mapped_files.h; else the process ends), and check() throws. So nothing that was computed from the bytes is reported before
// a check() that comes after the computation. Files that neardup writes appear by rename and are never changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/mapping_guard.h"

namespace neardup {

class MappedFile {
 public:
  /// The whole file. Throws Error{kInput} naming the path and the reason; only regular files can be mapped.
  explicit MappedFile(const std::string& path);
  /// A part of an open file, which may be closed afterwards; `name` is for messages, with quotes if it is a path.
  MappedFile(int descriptor, uint64_t offset, uint64_t bytes, std::string name);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Of a whole file, begins at a page.
  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }
  /// Throws Error{kInput} naming the file if bytes were missing at any time since it was mapped. Costs two loads.
  void check() const;

  /// Hints for the system. kRandom: no more is read than what is looked at; else it may be megabytes around each page.
  enum class Reading { kRandom, kInOrder };
  void expect(Reading reading) const noexcept;
  /// The pages are not needed for now: they stop counting as memory of the program.
  void release() const noexcept;
  /// Begins to read these bytes, which are some of bytes().
  static void fetch(std::string_view bytes) noexcept;

 private:
  void map(int descriptor, uint64_t offset, uint64_t bytes);

  std::string name_;
  void* begin_ = nullptr;
  size_t size_ = 0;
  std::string_view bytes_;
  MappingGuard guard_;
  const volatile char* mark_ = nullptr;  // see map()
  char mark_value_ = 0;
};

}  // namespace neardup
