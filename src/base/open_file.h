// Opening files by name: what is not a regular file is an error that says what it is. Nothing here waits for another process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace neardup {

enum class PathKind { kMissing, kFile, kFolder, kOther };

/// What the path leads to, links followed. Throws Error{kInput} "cannot read 'x': Input/output error" when the system cannot tell: a
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
  kRegular,  ///< for what is mapped, or read more than once
  kPipe,     ///< also a pipe that is open already, such as /dev/stdin or the <(...) of a shell; a named one would have to be waited for
};

/// For reading. Throws Error{kInput} "cannot DOING 'path': REASON".
FileDescriptor open_file(const std::string& path, Allow allow = Allow::kRegular, std::string_view doing = "read");

/// The whole contents. Throws as open_file(), and when there are more than `most_bytes`.
std::string read_file(const std::string& path, Allow allow = Allow::kRegular, std::string_view doing = "read",
                      uint64_t most_bytes = UINT64_MAX);

}  // namespace neardup
