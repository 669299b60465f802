#include "arrow/text_column.h"

#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include <cstring>
#include <limits>
#include <string>

namespace nb = nanobind;

namespace neardup::python {
namespace {

constexpr int64_t kInlineBytes = 12;  // of a view
constexpr int64_t kViewBytes = 16;

[[noreturn]] void malformed(std::string_view argument, std::string_view what) {
  throw nb::value_error(fmt::format("{}: malformed Arrow array: {}", argument, what).c_str());
}

// The 16 bytes of a view: its length, then the string itself, or its first four bytes, a buffer and a place in it.
struct View {
  int32_t length;
  int32_t prefix;
  int32_t buffer;
  int32_t offset;
};
static_assert(sizeof(View) == kViewBytes);

bool is_index_format(std::string_view format) noexcept {
  return format.size() == 1 && std::string_view("cCsSiIlL").find(format[0]) != std::string_view::npos;
}

template <typename Integer>
int64_t index_at(const void* indices, uint64_t row) noexcept {
  const Integer value = static_cast<const Integer*>(indices)[row];
  // An unsigned one that does not fit is out of bounds, whatever the dictionary.
  if (static_cast<uint64_t>(value) > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return -1;
  return static_cast<int64_t>(value);
}

}  // namespace

bool TextColumn::is_text(const ArrowSchema& schema) noexcept {
  const std::string_view format = schema.format == nullptr ? "" : schema.format;
  if (schema.dictionary != nullptr)
    return is_index_format(format) && schema.dictionary->dictionary == nullptr && is_text(*schema.dictionary);
  return format == "u" || format == "U" || format == "vu" || format == "n";
}

TextColumn::TextColumn(const ArrowSchema& schema, const ArrowArray& array, std::string_view argument) : array_(&array) {
  const std::string_view format = schema.format == nullptr ? "" : schema.format;
  if (!is_text(schema)) {
    throw nb::type_error(fmt::format("{}: expected a column of strings, got one of Arrow format '{}'", argument, format).c_str());
  }
  if (array.length < 0 || array.offset < 0 || array.length > std::numeric_limits<int64_t>::max() - array.offset)
    malformed(argument, fmt::format("length {}, offset {}", array.length, array.offset));
  size_ = static_cast<uint64_t>(array.length);
  if (schema.dictionary != nullptr) {
    if (array.dictionary == nullptr) malformed(argument, "no dictionary");
    layout_ = Layout::kDictionary;
    index_format_ = format[0];
    dictionary_ = std::make_unique<const TextColumn>(*schema.dictionary, *array.dictionary, argument);
  } else if (format != "n") {
    layout_ = format == "u" ? Layout::kUtf8 : (format == "U" ? Layout::kLargeUtf8 : Layout::kView);
  }
  check(argument);
}

void TextColumn::check(std::string_view argument) const {
  const int64_t buffers = layout_ == Layout::kNull ? 0 : (layout_ == Layout::kDictionary ? 2 : 3);
  if (array_->n_buffers < buffers || (buffers > 0 && array_->buffers == nullptr))
    malformed(argument, fmt::format("{} buffers", array_->n_buffers));
  if (size_ == 0 || layout_ == Layout::kNull) return;
  if (array_->buffers[1] == nullptr) malformed(argument, "an empty buffer");
  switch (layout_) {
    case Layout::kUtf8:
      return check_offsets<int32_t>(argument);
    case Layout::kLargeUtf8:
      return check_offsets<int64_t>(argument);
    case Layout::kView:
      return check_views(argument);
    default:
      return check_indices(argument);
  }
}

template <typename Offset>
void TextColumn::check_offsets(std::string_view argument) const {
  const Offset* const offsets = buffer<Offset>(1) + array_->offset;
  bool ascending = offsets[0] >= 0;
  for (uint64_t row = 0; row < size_; ++row) ascending &= offsets[row] <= offsets[row + 1];
  if (!ascending) malformed(argument, "offsets that do not ascend");
  if (offsets[size_] > 0 && array_->buffers[2] == nullptr) malformed(argument, "no bytes of strings");
}

// The last buffer has the sizes of those between it and the views.
void TextColumn::check_views(std::string_view argument) const {
  const int64_t data_buffers = array_->n_buffers - 3;
  const auto* const sizes = buffer<int64_t>(array_->n_buffers - 1);
  if (data_buffers > 0 && sizes == nullptr) malformed(argument, "no sizes of buffers");
  const View* const views = buffer<View>(1) + array_->offset;
  for (uint64_t row = 0; row < size_; ++row) {
    if (is_null(row)) continue;
    const View& view = views[row];
    if (view.length < 0) malformed(argument, fmt::format("row {} has a negative length", row));
    if (view.length <= kInlineBytes) continue;
    if (view.buffer < 0 || view.buffer >= data_buffers || view.offset < 0 || int64_t{view.offset} + view.length > sizes[view.buffer] ||
        array_->buffers[2 + view.buffer] == nullptr) {
      malformed(argument, fmt::format("row {} is outside of its buffer", row));
    }
  }
}

void TextColumn::check_indices(std::string_view argument) const {
  for (uint64_t row = 0; row < size_; ++row) {
    const auto* const valid = buffer<uint8_t>(0);
    const uint64_t bit = row + static_cast<uint64_t>(array_->offset);
    if (valid != nullptr && (valid[bit / 8] >> (bit % 8) & 1) == 0) continue;
    const int64_t place = index(row);
    if (place < 0 || static_cast<uint64_t>(place) >= dictionary_->size())
      malformed(argument, fmt::format("row {} has index {} in a dictionary of {}", row, place, dictionary_->size()));
  }
}

int64_t TextColumn::index(uint64_t row) const noexcept {
  const void* const indices = array_->buffers[1];
  const uint64_t place = row + static_cast<uint64_t>(array_->offset);
  switch (index_format_) {
    case 'c':
      return index_at<int8_t>(indices, place);
    case 'C':
      return index_at<uint8_t>(indices, place);
    case 's':
      return index_at<int16_t>(indices, place);
    case 'S':
      return index_at<uint16_t>(indices, place);
    case 'i':
      return index_at<int32_t>(indices, place);
    case 'I':
      return index_at<uint32_t>(indices, place);
    case 'l':
      return index_at<int64_t>(indices, place);
    default:
      return index_at<uint64_t>(indices, place);
  }
}

bool TextColumn::is_null(uint64_t row) const noexcept {
  if (layout_ == Layout::kNull) return true;
  const auto* const valid = buffer<uint8_t>(0);
  const uint64_t bit = row + static_cast<uint64_t>(array_->offset);
  if (valid != nullptr && (valid[bit / 8] >> (bit % 8) & 1) == 0) return true;
  return layout_ == Layout::kDictionary && dictionary_->is_null(static_cast<uint64_t>(index(row)));
}

std::string_view TextColumn::operator[](uint64_t row) const noexcept {
  if (is_null(row)) return {};
  const uint64_t place = row + static_cast<uint64_t>(array_->offset);
  const auto between = [&](auto begin, auto end) -> std::string_view {
    return {buffer<char>(2) + begin, static_cast<size_t>(end - begin)};
  };
  switch (layout_) {
    case Layout::kUtf8: {
      const auto* const offsets = buffer<int32_t>(1) + place;
      return between(offsets[0], offsets[1]);
    }
    case Layout::kLargeUtf8: {
      const auto* const offsets = buffer<int64_t>(1) + place;
      return between(offsets[0], offsets[1]);
    }
    case Layout::kView: {
      const View& view = buffer<View>(1)[place];
      const auto length = static_cast<size_t>(view.length);
      if (view.length <= kInlineBytes) return {reinterpret_cast<const char*>(&view) + sizeof view.length, length};
      return {buffer<char>(2 + view.buffer) + view.offset, length};
    }
    case Layout::kDictionary:
      return (*dictionary_)[static_cast<uint64_t>(index(row))];
    default:
      return {};
  }
}

}  // namespace neardup::python
