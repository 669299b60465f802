// Column: the values of one field of the caller's data, by row: a list of Python objects or arrays of Arrow.
//
// Values are read where they are. Const members may be called by any number of threads, without the lock of the interpreter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup::python {

/// A value as a record of JSON has it.
struct Cell {
  enum class Kind : uint8_t { kNull, kBoolean, kNumber, kString, kOther };
  Kind kind = Kind::kNull;
  bool repaired = false;    ///< lone surrogates were read as U+FFFD
  std::string_view text{};  ///< a string; a number as its digits; "true" or "false"
};
/// "null", "a number", ...: for messages.
std::string_view name_of(Cell::Kind kind) noexcept;
/// The number that the digits of a cell write; false if it is none.
bool number_of(const Cell& cell, double& number) noexcept;

class Column {
 public:
  virtual ~Column() = default;
  [[nodiscard]] virtual uint64_t size() const noexcept = 0;
  /// Requires row < size(). The text is valid while the column lives and `storage` is unchanged.
  virtual Cell cell(uint64_t row, std::string& storage) const = 0;
};

}  // namespace neardup::python
