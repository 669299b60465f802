#include "arrow/scalar_column.h"

#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include <cmath>
#include <limits>

namespace nb = nanobind;

namespace neardup::python {
namespace {

bool is_set(const void* bits, uint64_t place) noexcept {
  return (static_cast<const uint8_t*>(bits)[place / 8] >> (place % 8) & 1) != 0;
}

// As Python writes it: 1.0 has its point.
template <typename Float>
bool write_float(Float value, std::string& text) {
  if (!std::isfinite(value)) return false;
  text = fmt::format("{}", value);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return true;
}

}  // namespace

bool ScalarColumn::is_boolean(const ArrowSchema& schema) noexcept {
  return schema.dictionary == nullptr && schema.format != nullptr && std::string_view(schema.format) == "b";
}

bool ScalarColumn::is_scalar(const ArrowSchema& schema) noexcept {
  const std::string_view format = schema.format == nullptr ? "" : schema.format;
  return schema.dictionary == nullptr && format.size() == 1 && std::string_view("nbcCsSiIlLfg").find(format[0]) != std::string_view::npos;
}

ScalarColumn::ScalarColumn(const ArrowSchema& schema, const ArrowArray& array, std::string_view argument)
    : array_(&array), format_(schema.format[0]) {
  const bool bounded = array.length >= 0 && array.offset >= 0 && array.length <= std::numeric_limits<int64_t>::max() - array.offset;
  const bool complete =
      format_ == 'n' || array.length == 0 || (array.n_buffers >= 2 && array.buffers != nullptr && array.buffers[1] != nullptr);
  if (bounded && complete) return;
  throw nb::value_error(
      fmt::format("{}: malformed Arrow array: length {}, offset {}, {} buffers", argument, array.length, array.offset, array.n_buffers)
          .c_str());
}

bool ScalarColumn::read(uint64_t row, std::string& text) const {
  if (format_ == 'n') return false;
  const uint64_t place = row + static_cast<uint64_t>(array_->offset);
  if (array_->buffers[0] != nullptr && !is_set(array_->buffers[0], place)) return false;
  const auto write = [&](auto number) {
    text = fmt::format("{}", number);
    return true;
  };
  switch (format_) {
    case 'b':
      text = is_set(array_->buffers[1], place) ? "true" : "false";
      return true;
    case 'c':
      return write(int{value<int8_t>(place)});
    case 'C':
      return write(unsigned{value<uint8_t>(place)});
    case 's':
      return write(value<int16_t>(place));
    case 'S':
      return write(value<uint16_t>(place));
    case 'i':
      return write(value<int32_t>(place));
    case 'I':
      return write(value<uint32_t>(place));
    case 'l':
      return write(value<int64_t>(place));
    case 'L':
      return write(value<uint64_t>(place));
    case 'f':
      return write_float(value<float>(place), text);
    default:
      return write_float(value<double>(place), text);
  }
}

}  // namespace neardup::python
