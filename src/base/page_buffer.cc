#include "base/page_buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <string>
#include <utility>

#include "neardup/error.h"

namespace neardup {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kLargePage = size_t{1} << 21;

size_t whole_pages(size_t bytes) noexcept {
  return (bytes + kLargePage - 1) / kLargePage * kLargePage;
}

}  // namespace

PageBuffer::~PageBuffer() {
  if (begin_ != nullptr) ::munmap(begin_, capacity_);
}

PageBuffer::PageBuffer(PageBuffer&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), size_(std::exchange(other.size_, 0)), capacity_(std::exchange(other.capacity_, 0)) {}

PageBuffer& PageBuffer::operator=(PageBuffer&& other) noexcept {
  std::swap(begin_, other.begin_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

// The new block starts at a large page, so that large pages are moved whole.
void PageBuffer::grow(size_t capacity) {
  const auto fail = [&] { throw Error(ErrorCode::kResource, "cannot reserve " + std::to_string(capacity) + " bytes of memory"); };
  void* room = ::mmap(nullptr, capacity + kLargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) fail();
  auto* first = static_cast<char*>(room);
  const auto address = reinterpret_cast<uintptr_t>(first);
  auto* place = first + (whole_pages(address) - address);
  if (place != first) ::munmap(first, static_cast<size_t>(place - first));
  if (place + capacity != first + capacity + kLargePage) ::munmap(place + capacity, static_cast<size_t>(first + kLargePage - place));
  if (begin_ != nullptr && ::mremap(begin_, capacity_, capacity, MREMAP_MAYMOVE | MREMAP_FIXED, place) == MAP_FAILED) {
    ::munmap(place, capacity);
    fail();
  }
  begin_ = place;
  capacity_ = capacity;
  ::madvise(begin_, capacity_, MADV_HUGEPAGE);  // a hint: without it, everything works the same, but slower
}

void PageBuffer::make_room(size_t more) {
  grow(whole_pages(std::max(capacity_ + capacity_ / 2, size_ + more)));
}

void PageBuffer::reset(size_t bytes) {
  size_ = 0;
  if (bytes > capacity_) {
    shrink();  // nothing is worth moving
    grow(whole_pages(bytes));
  }
  size_ = bytes;
}

void PageBuffer::shrink() {
  const size_t wanted = (size_ + kPage - 1) / kPage * kPage;
  if (wanted == capacity_) return;
  ::munmap(static_cast<char*>(begin_) + wanted, capacity_ - wanted);
  capacity_ = wanted;
  if (wanted == 0) begin_ = nullptr;
}

}  // namespace neardup
