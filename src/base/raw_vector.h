// RawVector: a std::vector whose resize() leaves new elements uninitialized, for scratch memory that is written before it is read.
#pragma once

#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace neardup {

/// std::allocator, except that value-initialization becomes default-initialization.
template <class T>
struct RawAllocator : std::allocator<T> {
  template <class U>
  struct rebind {                   // NOLINT(readability-identifier-naming): std::allocator_traits wants it
    using other = RawAllocator<U>;  // NOLINT(readability-identifier-naming)
  };
  RawAllocator() = default;
  template <class U>
  RawAllocator(const RawAllocator<U>&) noexcept {}

  template <class U>
  void construct(U* at) noexcept(std::is_nothrow_default_constructible_v<U>) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    std::construct_at(at, std::forward<Arguments>(arguments)...);
  }
};

template <class T>
using RawVector = std::vector<T, RawAllocator<T>>;

inline std::string_view view_of(const RawVector<char>& bytes) noexcept {
  return {bytes.data(), bytes.size()};
}

}  // namespace neardup
