#include "base/open_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "neardup/error.h"

namespace neardup {
namespace {

constexpr auto kPipeFileSystem = 0x50495045;  // of pipes that have no name

[[noreturn]] void fail(std::string_view doing, const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::kInput, "cannot " + std::string(doing) + " '" + path + "': " + reason);
}

std::string other_kind(const struct stat& status) {
  if (S_ISDIR(status.st_mode)) return "it is a folder";
  std::string kind = "device";
  if (S_ISFIFO(status.st_mode)) kind = "pipe";
  if (S_ISSOCK(status.st_mode)) kind = "socket";
  return "it is a " + kind + ", not a regular file";
}

bool is_unnamed_pipe(int descriptor, const struct stat& status) noexcept {
  struct statfs system {};
  return S_ISFIFO(status.st_mode) && ::fstatfs(descriptor, &system) == 0 && system.f_type == kPipeFileSystem;
}

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

PathKind path_kind(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return PathKind::kMissing;
    fail("read", path, std::strerror(errno));
  }
  if (S_ISREG(status.st_mode)) return PathKind::kFile;
  return S_ISDIR(status.st_mode) ? PathKind::kFolder : PathKind::kOther;
}

FileDescriptor open_file(const std::string& path, Allow allow, std::string_view doing) {
  struct stat status {};
  // Without O_NONBLOCK, opening a named pipe waits for its other end.
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    const int error = errno;
    // For a socket the system reports "no such device".
    if (error == ENXIO && ::stat(path.c_str(), &status) == 0) fail(doing, path, other_kind(status));
    fail(doing, path, std::strerror(error));
  }
  if (::fstat(file.get(), &status) != 0) fail(doing, path, std::strerror(errno));
  if (!S_ISREG(status.st_mode) && (allow == Allow::kRegular || !is_unnamed_pipe(file.get(), status))) fail(doing, path, other_kind(status));
  const int flags = ::fcntl(file.get(), F_GETFL);
  if (flags < 0 || ::fcntl(file.get(), F_SETFL, flags & ~O_NONBLOCK) != 0) fail(doing, path, std::strerror(errno));
  return file;
}

std::string read_file(const std::string& path, Allow allow, std::string_view doing, uint64_t max_bytes) {
  constexpr size_t kPieceBytes = size_t{1} << 16;
  const FileDescriptor file = open_file(path, allow, doing);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail(doing, path, std::strerror(errno));
  const std::string too_large = "it has more than " + std::to_string(max_bytes) + " bytes";
  if (static_cast<uint64_t>(std::max<off_t>(status.st_size, 0)) > max_bytes) fail(doing, path, too_large);
  // Room for all of it and for the read that finds the end. The size of a pipe, and of a file of the kernel, is 0.
  std::string bytes(static_cast<uint64_t>(std::max<off_t>(status.st_size, 0)) + 1, '\0');
  size_t size = 0;
  for (;;) {
    if (size == bytes.size()) bytes.resize(size + kPieceBytes + size / 2);
    const ssize_t got = ::read(file.get(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(doing, path, std::strerror(errno));
    if (got == 0) break;
    size += static_cast<size_t>(got);
    if (size > max_bytes) fail(doing, path, too_large);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace neardup
