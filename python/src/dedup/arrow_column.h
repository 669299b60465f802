// ArrowColumn: arrays of Arrow as a column; they are read in place. ArrowPiece: an array of a stream, shared by the columns made of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "arrow/owned.h"
#include "arrow/scalar_column.h"
#include "arrow/stream.h"
#include "arrow/text_column.h"
#include "dedup/column.h"

namespace neardup::python {

/// The array is released when the last owner is gone, under the lock of the interpreter, which that takes.
using SharedArray = std::shared_ptr<const Owned<ArrowArray>>;
SharedArray share_array(Owned<ArrowArray> array);

class ArrowColumn final : public Column {
 public:
  /// `name`: for messages.
  explicit ArrowColumn(std::string name) : name_(std::move(name)) {}

  /// Appends an array of `schema`: the array itself, or a child of `parent`, whose slice and nulls count for the child too. Types other
  /// than text, numbers and Booleans have cells of Cell::Kind::kOther. Throws what TextColumn throws for malformed arrays.
  void append(const ArrowSchema& schema, const ArrowArray& array, SharedArray owner, const ArrowArray* parent = nullptr);

  [[nodiscard]] uint64_t size() const noexcept override { return size_; }
  Cell cell(uint64_t row, std::string& storage) const override;

 private:
  struct Other {};
  struct Chunk {
    SharedArray owner;
    const ArrowArray* parent = nullptr;
    uint64_t first = 0;  // row of the column
    uint64_t shift = 0;  // rows of the array before those of its parent's slice
    Cell::Kind kind = Cell::Kind::kOther;
    std::variant<Other, TextColumn, ScalarColumn> values;
  };

  std::string name_;
  uint64_t size_ = 0;
  std::vector<Chunk> chunks_;
};

/// True for an array of records: a table.
bool is_table(const ArrowSchema& schema) noexcept;
/// The type in words, for messages: "int64", "list", or the format of Arrow.
std::string type_name(const ArrowSchema& schema);

}  // namespace neardup::python
