#include "base/temp_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/mapped_file.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr size_t kMaxTransferBytes = 1u << 30;  // per call of read or write; the kernel stops at 2 GiB

int create_unnamed(const std::string& folder) {
#ifdef O_TMPFILE
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  // Other errors mean that the file system or the kernel does not support it; falls back to a named file that is unlinked.
  if (descriptor >= 0 || errno == ENOENT || errno == EACCES || errno == ENOSPC) return descriptor;
#endif
  std::string name = folder + "/neardup.XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

std::string temp_folder(const std::string& directory) {
  if (!directory.empty()) return directory;
  const char* from_environment = std::getenv("TMPDIR");
  return from_environment != nullptr && *from_environment != '\0' ? from_environment : "/tmp";
}

TempFile::TempFile(const std::string& directory) : directory_(temp_folder(directory)) {
  descriptor_ = create_unnamed(directory_);
  if (descriptor_ < 0) {
    throw Error(ErrorCode::kOutput, "cannot create a temporary file in '" + directory_ + "': " + std::strerror(errno));
  }
}

TempFile::~TempFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

TempFile::TempFile(TempFile&& other) noexcept
    : directory_(std::move(other.directory_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(std::exchange(other.size_, 0)) {}

TempFile& TempFile::operator=(TempFile&& other) noexcept {
  std::swap(directory_, other.directory_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

void TempFile::append(const void* data, size_t bytes) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::pwrite(descriptor_, from, std::min(bytes, kMaxTransferBytes), static_cast<off_t>(size_));
    if (written < 0) {
      if (errno == EINTR || (errno == EFAULT && refill_lost_pages({from, bytes}))) continue;
      throw Error(ErrorCode::kOutput, "cannot write temporary data in '" + directory_ + "': " + std::strerror(errno) + " (" +
                                          std::to_string(size_) + " bytes written)");
    }
    from += written;
    bytes -= static_cast<size_t>(written);
    size_ += static_cast<uint64_t>(written);
  }
}

void TempFile::read(uint64_t offset, void* data, size_t bytes) const {
  char* to = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = ::pread(descriptor_, to, std::min(bytes, kMaxTransferBytes), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw Error(ErrorCode::kInput, "cannot read temporary data in '" + directory_ + "' at byte " + std::to_string(offset) + ": " +
                                         (got < 0 ? std::strerror(errno) : "the file ends there"));
    }
    to += got;
    bytes -= static_cast<size_t>(got);
    offset += static_cast<uint64_t>(got);
  }
}

TempMapping::TempMapping(const TempFile& file) : bytes_(file.size()) {
  void* const begin = ::mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, file.descriptor(), 0);
  if (begin == MAP_FAILED) {
    throw Error(ErrorCode::kResource, "cannot map " + std::to_string(bytes_) + " bytes of temporary data: " + std::strerror(errno));
  }
  begin_ = begin;
}

TempMapping::~TempMapping() {
  if (begin_ != nullptr) ::munmap(begin_, bytes_);
}

TempMapping::TempMapping(TempMapping&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

TempMapping& TempMapping::operator=(TempMapping&& other) noexcept {
  std::swap(begin_, other.begin_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void TempMapping::release() const noexcept {
  ::madvise(begin_, bytes_, MADV_DONTNEED);
}

}  // namespace neardup
