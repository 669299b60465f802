#include "dedup/column.h"

#include <array>
#include <charconv>
#include <cmath>

namespace neardup::python {

std::string_view name_of(Cell::Kind kind) noexcept {
  constexpr std::array<std::string_view, 5> kNames{"null", "a boolean", "a number", "a string", "an object of another type"};
  return kNames[static_cast<size_t>(kind)];
}

bool number_of(const Cell& cell, double& number) noexcept {
  if (cell.kind != Cell::Kind::kNumber) return false;
  const char* const end = cell.text.data() + cell.text.size();
  const auto read = std::from_chars(cell.text.data(), end, number);
  return read.ec == std::errc{} && read.ptr == end && std::isfinite(number);
}

}  // namespace neardup::python
