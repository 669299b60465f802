#include "io/bytes/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "neardup/error.h"

namespace neardup {
namespace {

[[noreturn]] void fail(const char* what, const std::string& path, int error) {
  throw Error(ErrorCode::kInput, std::string("cannot ") + what + " '" + path + "': " + std::strerror(error));
}

[[noreturn]] void fail_changed(const std::string& path) {
  throw Error(ErrorCode::kInput, "'" + path + "' changed while it was read");
}

}  // namespace

InputFile::InputFile(const std::string& path) : path_(path), file_(open_file(path, Allow::kRegular, "open")) {}

FileStamp InputFile::stamp() const {
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) fail("read", path_, errno);
  return {.device = static_cast<uint64_t>(status.st_dev),
          .inode = static_cast<uint64_t>(status.st_ino),
          .size = static_cast<uint64_t>(status.st_size),
          .modified_ns = int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
}

void InputFile::check(const FileStamp& expected) const {
  if (stamp() != expected) fail_changed(path_);
}

size_t InputFile::read_at(uint64_t offset, char* to, size_t bytes) const {
  size_t done = 0;
  while (done < bytes) {
    const size_t wanted = std::min<size_t>(bytes - done, 1u << 30);
    const ssize_t got = ::pread(file_.get(), to + done, wanted, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path_, errno);
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

void InputFile::read_exactly(uint64_t offset, char* to, size_t bytes) const {
  if (read_at(offset, to, bytes) != bytes) fail_changed(path_);
}

void InputFile::will_need(uint64_t offset, uint64_t bytes) const noexcept {
  ::posix_fadvise(file_.get(), static_cast<off_t>(offset), static_cast<off_t>(bytes), POSIX_FADV_WILLNEED);
}

}  // namespace neardup
