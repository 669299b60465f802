#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "neardup/error.h"

namespace neardup {
namespace {

[[noreturn]] void fail(const std::string& path, const char* reason) {
  throw Error(ErrorCode::kInput, "cannot read '" + path + "': " + reason);
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, std::strerror(errno));
  struct stat status {};
  int error = ::fstat(descriptor, &status) == 0 ? 0 : errno;
  const bool regular = error == 0 && S_ISREG(status.st_mode);
  if (regular && status.st_size > 0) {
    size_ = static_cast<size_t>(status.st_size);
    begin_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (begin_ == MAP_FAILED) error = errno;
  }
  ::close(descriptor);
  if (error != 0) fail(path, std::strerror(error));
  if (!regular) fail(path, "not a regular file");
}

MappedFile::~MappedFile() {
  if (begin_ != nullptr) ::munmap(begin_, size_);
}

void MappedFile::expect(Reading reading) const noexcept {
  if (size_ != 0) ::madvise(begin_, size_, reading == Reading::kRandom ? MADV_RANDOM : MADV_SEQUENTIAL);
}

void MappedFile::release() const noexcept {
  if (size_ != 0) ::madvise(begin_, size_, MADV_DONTNEED);
}

void MappedFile::fetch(std::string_view bytes) noexcept {
  static const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(bytes.data());
  const uintptr_t over = begin % page;
  ::madvise(const_cast<char*>(bytes.data()) - over, bytes.size() + over, MADV_WILLNEED);
}

}  // namespace neardup
