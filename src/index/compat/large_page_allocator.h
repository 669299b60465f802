// LargePageAllocator: memory for tables that are read at random, in large pages where the system has them. Most reads of a large table in
// small pages also miss the processor's cache of page addresses.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace neardup {

template <typename T>
struct LargePageAllocator {
  using value_type = T;
  static constexpr size_t kPageBytes = size_t{1} << 21;

  LargePageAllocator() = default;
  template <typename U>
  LargePageAllocator(const LargePageAllocator<U>&) noexcept {}  // NOLINT(google-explicit-constructor): what allocators have

  [[nodiscard]] T* allocate(size_t count) {
    if (count > SIZE_MAX / sizeof(T)) throw std::bad_alloc();
    const size_t bytes = count * sizeof(T);
    if (bytes < kPageBytes) return static_cast<T*>(::operator new(bytes));
    void* const memory = ::operator new(bytes, std::align_val_t{kPageBytes});
    ::madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: without it, everything works the same, but slower
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t count) noexcept {
    if (count * sizeof(T) < kPageBytes)
      ::operator delete(memory);
    else
      ::operator delete(memory, std::align_val_t{kPageBytes});
  }

  template <typename U>
  bool operator==(const LargePageAllocator<U>&) const noexcept {
    return true;
  }
};

}  // namespace neardup
