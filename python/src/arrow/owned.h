// Owned<T>: an ArrowSchema, ArrowArray or ArrowArrayStream that is released at the end of its life.
#pragma once

#include <utility>

#include "arrow/c_data.h"

namespace neardup::python {

/// Movable: the structure may be moved by its bytes, as the Arrow specification says. Releasing may call into Python: hold the lock of the
/// interpreter.
template <typename T>
class Owned {
 public:
  Owned() noexcept = default;
  /// Takes the content over from where a producer put it, and marks that as released.
  explicit Owned(T* from) noexcept : value_(*from) { from->release = nullptr; }
  ~Owned() { reset(); }
  Owned(Owned&& other) noexcept : value_(std::exchange(other.value_, T{})) {}
  Owned& operator=(Owned&& other) noexcept {
    if (this != &other) {
      reset();
      value_ = std::exchange(other.value_, T{});
    }
    return *this;
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;

  [[nodiscard]] T* get() noexcept { return &value_; }
  [[nodiscard]] const T* get() const noexcept { return &value_; }
  [[nodiscard]] T* operator->() noexcept { return &value_; }
  [[nodiscard]] const T* operator->() const noexcept { return &value_; }
  [[nodiscard]] const T& operator*() const noexcept { return value_; }
  /// False for nothing, and for the array at the end of a stream.
  [[nodiscard]] bool holds() const noexcept { return value_.release != nullptr; }

 private:
  void reset() noexcept {
    if (value_.release != nullptr) value_.release(&value_);
    value_.release = nullptr;
  }
  T value_{};
};

}  // namespace neardup::python
