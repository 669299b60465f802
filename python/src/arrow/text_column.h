// TextColumn: the strings of one Arrow array, read where they are.
//
//   const TextColumn column(*schema, *array, "texts");
//   for (uint64_t row = 0; row < column.size(); ++row) use(column[row]);
//
// Formats: utf8, large_utf8, utf8_view, a dictionary of one of these with integer indices, and null (all rows are null); slices. Strings
// are not checked to be UTF-8: any bytes are a text. The schema is not needed after construction; the array must outlive the column. Const
// members may be called by any number of threads, without the lock of the interpreter.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "arrow/c_data.h"

namespace neardup::python {

class TextColumn {
 public:
  /// True if arrays of this schema are columns of text.
  static bool is_text(const ArrowSchema& schema) noexcept;

  /// Checks everything that can be checked without the sizes of buffers, which the interface does not tell: offsets ascend, views stay
  /// within their buffers, indices within the dictionary. Throws TypeError that names `argument` unless is_text(), and ValueError for a
  /// malformed array.
  TextColumn(const ArrowSchema& schema, const ArrowArray& array, std::string_view argument);

  [[nodiscard]] uint64_t size() const noexcept { return size_; }
  /// Requires row < size().
  [[nodiscard]] bool is_null(uint64_t row) const noexcept;
  /// Empty for a null. Requires row < size().
  [[nodiscard]] std::string_view operator[](uint64_t row) const noexcept;

 private:
  enum class Layout : uint8_t { kNull, kUtf8, kLargeUtf8, kView, kDictionary };

  void check(std::string_view argument) const;
  template <typename Offset>
  void check_offsets(std::string_view argument) const;
  void check_views(std::string_view argument) const;
  void check_indices(std::string_view argument) const;
  [[nodiscard]] int64_t index(uint64_t row) const noexcept;
  template <typename Value>
  [[nodiscard]] const Value* buffer(int64_t number) const noexcept {
    return static_cast<const Value*>(array_->buffers[number]);
  }

  const ArrowArray* array_;
  uint64_t size_ = 0;
  Layout layout_ = Layout::kNull;
  char index_format_ = 0;  // of a dictionary: the letter of its integer type
  std::unique_ptr<const TextColumn> dictionary_;
};

}  // namespace neardup::python
