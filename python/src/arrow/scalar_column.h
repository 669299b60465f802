// ScalarColumn: the numbers and Booleans of one Arrow array, as text.
//
// Integers of all widths, float and double, Boolean and null; slices. The schema is not needed after construction; the array must outlive
// the column. Const members may be called by any number of threads, without the lock of the interpreter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arrow/c_data.h"

namespace neardup::python {

class ScalarColumn {
 public:
  static bool is_scalar(const ArrowSchema& schema) noexcept;
  static bool is_boolean(const ArrowSchema& schema) noexcept;

  /// Requires is_scalar(). Throws ValueError that names `argument` for a malformed array.
  ScalarColumn(const ArrowSchema& schema, const ArrowArray& array, std::string_view argument);

  [[nodiscard]] uint64_t size() const noexcept { return static_cast<uint64_t>(array_->length); }
  /// False for a null, and for a float that is not finite. `text` is then unchanged; else the digits as Python writes them, or "true" or
  /// "false". Requires row < size().
  bool read(uint64_t row, std::string& text) const;

 private:
  template <typename Value>
  [[nodiscard]] Value value(uint64_t place) const noexcept {
    return static_cast<const Value*>(array_->buffers[1])[place];
  }

  const ArrowArray* array_;
  char format_;
};

}  // namespace neardup::python
