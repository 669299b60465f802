// Opens files by name: a path that is not a regular file is an error that says what it is. Never waits for another process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace neardup {

enum class PathKind { kMissing, kFile, kFolder, kOther };

/// The kind of file at the path, links followed. Throws Error{kInput} "cannot read 'x': Input/output error" when the system cannot tell: a
/// failing disk is not a missing file.
PathKind path_kind(const std::string& path);

/// Owns a descriptor.
class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor = -1) noexcept : descriptor_(descriptor) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  [[nodiscard]] int get() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

enum class Allow {
  kRegular,  ///< for files that are mapped, or read more than once
  kPipe,     ///< also an open pipe, such as /dev/stdin or the <(...) of a shell; opening a named pipe would wait for its writer
};

/// For reading. Throws Error{kInput} "cannot DOING 'path': REASON".
FileDescriptor open_file(const std::string& path, Allow allow = Allow::kRegular, std::string_view doing = "read");

/// The whole contents. Throws as open_file(), and when there are more than `max_bytes`.
std::string read_file(const std::string& path, Allow allow = Allow::kRegular, std::string_view doing = "read",
                      uint64_t max_bytes = UINT64_MAX);

}  // namespace neardup
