#include "io/input_file.h"

#include <fcntl.h>
#include <sys/mman.h>
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

InputFile::InputFile(const std::string& path) : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) fail("open", path_, errno);
}

InputFile::~InputFile() {
  ::close(descriptor_);
}

FileStamp InputFile::stamp() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail("read", path_, errno);
  if (S_ISDIR(status.st_mode)) fail("read", path_, EISDIR);
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
    const ssize_t got = ::pread(descriptor_, to + done, wanted, static_cast<off_t>(offset + done));
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
  ::posix_fadvise(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(bytes), POSIX_FADV_WILLNEED);
}

MappedRange::MappedRange(int descriptor, uint64_t offset, uint64_t bytes, const std::string& name) {
  if (bytes == 0) return;
  const uint64_t before = offset % static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  length_ = static_cast<size_t>(bytes + before);
  base_ = ::mmap(nullptr, length_, PROT_READ, MAP_PRIVATE, descriptor, static_cast<off_t>(offset - before));
  if (base_ == MAP_FAILED) {
    base_ = nullptr;
    fail("map", name, errno);
  }
  bytes_ = {static_cast<const char*>(base_) + before, static_cast<size_t>(bytes)};
}

MappedRange::~MappedRange() {
  if (base_ != nullptr) ::munmap(base_, length_);
}

}  // namespace neardup
