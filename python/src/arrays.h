// NumPy arrays: NewArray is filled here and handed to Python without a copy; codes_of() reads fingerprints out of one.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "neardup/fingerprint.h"

namespace neardup::python {

/// Memory for an array, all zeros. finish() needs the lock of the interpreter, the rest does not.
template <typename T>
class NewArray {
 public:
  /// `columns`: 0 for an array of one dimension. Throws std::bad_alloc.
  explicit NewArray(size_t rows, size_t columns = 0) : rows_(rows), columns_(columns) {
    const size_t width = std::max<size_t>(columns, 1);
    if (rows > SIZE_MAX / sizeof(T) / width) throw std::bad_alloc();
    values_ = std::make_unique<T[]>(rows * width);
  }

  [[nodiscard]] T* data() noexcept { return values_.get(); }
  T& operator[](size_t place) noexcept { return values_[place]; }
  [[nodiscard]] std::span<T> row(size_t number) noexcept { return {values_.get() + number * columns_, columns_}; }

  /// The array, which owns the memory from now on.
  nanobind::object finish() {
    T* const values = values_.release();
    const nanobind::capsule owner(values, [](void* memory) noexcept { delete[] static_cast<T*>(memory); });
    const size_t shape[] = {rows_, columns_};
    return nanobind::cast(nanobind::ndarray<nanobind::numpy, T>(values, columns_ == 0 ? 1 : 2, shape, owner));
  }

 private:
  size_t rows_;
  size_t columns_;
  std::unique_ptr<T[]> values_;
};

/// A vector as an array of one dimension, without a copy.
template <typename T>
nanobind::object array_of(std::vector<T>&& values) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = kept->data();
  const size_t shape[] = {kept->size()};
  const nanobind::capsule owner(kept.release(), [](void* memory) noexcept { delete static_cast<std::vector<T>*>(memory); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, T>(data, 1, shape, owner));
}

/// Fingerprints as the package passes them: a row each, of one word or of two, the low half first.
using CodeRows = nanobind::ndarray<nanobind::numpy, const uint64_t, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
using Numbers = nanobind::ndarray<nanobind::numpy, const uint64_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

/// Copies, because other threads of Python may write to the array meanwhile. Requires that the rows have the words of a Code.
template <typename Code>
std::vector<Code> codes_of(const CodeRows& rows) {
  const uint64_t* const words = rows.data();
  std::vector<Code> codes(rows.shape(0));
  for (size_t i = 0; i < codes.size(); ++i) {
    if constexpr (Code::kBits == Fingerprint64::kBits) {
      codes[i] = {words[i]};
    } else {
      codes[i] = {words[2 * i + 1], words[2 * i]};
    }
  }
  return codes;
}

inline std::vector<uint64_t> numbers_of(const Numbers& numbers) {
  return {numbers.data(), numbers.data() + numbers.shape(0)};
}

}  // namespace neardup::python
