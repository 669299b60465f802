#include "base/page_buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "neardup/error.h"

namespace neardup {
namespace {

constexpr size_t kLargePage = size_t{1} << 21;

size_t whole_pages(size_t bytes) noexcept {
  return (bytes + kLargePage - 1) / kLargePage * kLargePage;
}

}  // namespace

PageBuffer::~PageBuffer() {
  if (begin_ != nullptr) ::munmap(begin_, capacity_);
}

void PageBuffer::resize(size_t capacity) {
  void* moved = begin_ == nullptr ? ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                  : ::mremap(begin_, capacity_, capacity, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) throw Error(ErrorCode::kResource, "no memory for " + std::to_string(capacity) + " bytes of an index");
  begin_ = moved;
  capacity_ = capacity;
  ::madvise(begin_, capacity_, MADV_HUGEPAGE);  // a wish: without it, everything is slower and the same
}

void PageBuffer::append(std::string_view bytes) {
  if (bytes.empty()) return;
  if (bytes.size() > capacity_ - size_) resize(whole_pages(std::max(capacity_ + capacity_ / 2, size_ + bytes.size())));
  std::memcpy(static_cast<char*>(begin_) + size_, bytes.data(), bytes.size());
  size_ += bytes.size();
}

void PageBuffer::shrink() {
  const size_t wanted = (size_ + 4095) / 4096 * 4096;
  if (begin_ != nullptr && wanted != 0 && wanted < capacity_) resize(wanted);
}

}  // namespace neardup
