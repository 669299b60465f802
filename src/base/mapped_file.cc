#include "base/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/open_file.h"
#include "neardup/error.h"

namespace neardup {
namespace {

uintptr_t page_bytes() noexcept {
  static const auto bytes = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

[[noreturn]] void fail(const std::string& name, const char* reason) {
  throw Error(ErrorCode::kInput, "cannot read " + name + ": " + reason);
}

}  // namespace

MappedFile::MappedFile(const std::string& path) : name_("'" + path + "'") {
  const FileDescriptor file = open_file(path);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail(name_, std::strerror(errno));
  map(file.get(), 0, static_cast<uint64_t>(status.st_size));
}

MappedFile::MappedFile(int descriptor, uint64_t offset, uint64_t bytes, std::string name) : name_(std::move(name)) {
  map(descriptor, offset, bytes);
}

void MappedFile::map(int descriptor, uint64_t offset, uint64_t bytes) {
  if (bytes == 0) return;
  const uint64_t before = offset % page_bytes();
  size_ = static_cast<size_t>(bytes + before);
  void* const begin = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, static_cast<off_t>(offset - before));
  if (begin == MAP_FAILED) fail(name_, std::strerror(errno));
  begin_ = begin;
  bytes_ = {static_cast<const char*>(begin_) + before, static_cast<size_t>(bytes)};
  guard_.watch(begin_, size_);
  // A file that shrinks loses its last bytes first: on a page of which something is left they turn into zeros without a fault. So the last
  // byte that is not zero tells. If the last page has none, zeros in their place change nothing, and a page that is gone faults.
  const size_t page = std::max(before, (size_ - 1) / page_bytes() * page_bytes());
  const std::string_view last = std::string_view(static_cast<const char*>(begin_), size_).substr(page);
  const size_t at = last.find_last_not_of('\0');
  mark_ = last.data() + (at == std::string_view::npos ? 0 : at);
  mark_value_ = *mark_;
}

MappedFile::~MappedFile() {
  guard_.forget();
  if (begin_ != nullptr) ::munmap(begin_, size_);
}

void MappedFile::check() const {
  if (mark_ == nullptr || (*mark_ == mark_value_ && !guard_.lost())) return;
  fail(name_, "it shrank while it was read, or its disk failed");
}

void MappedFile::expect(Reading reading) const noexcept {
  if (size_ != 0) ::madvise(begin_, size_, reading == Reading::kRandom ? MADV_RANDOM : MADV_SEQUENTIAL);
}

void MappedFile::release() const noexcept {
  if (size_ != 0) ::madvise(begin_, size_, MADV_DONTNEED);
}

void MappedFile::fetch(std::string_view bytes) noexcept {
  const auto begin = reinterpret_cast<uintptr_t>(bytes.data());
  const uintptr_t over = begin % page_bytes();
  ::madvise(const_cast<char*>(bytes.data()) - over, bytes.size() + over, MADV_WILLNEED);
}

}  // namespace neardup
