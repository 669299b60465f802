#include "spark/columns.h"

#include <fmt/format.h>

#include <utility>

#include "arrow/stream.h"
#include "arrow/text_column.h"
#include "neardup/error.h"
#include "str_of.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

// The layout of a column of bytes is that of strings.
const char* text_format(const ArrowSchema& schema) noexcept {
  const std::string_view format = schema.format == nullptr || schema.dictionary != nullptr ? "" : schema.format;
  if (format == "z") return "u";
  if (format == "Z") return "U";
  return format == "vz" ? "vu" : nullptr;
}

[[noreturn]] void wrong_column(const ArrowSchema& schema, const std::string& argument, std::string_view expected) {
  throw nb::type_error(fmt::format("{}: expected a column of {}, got one of Arrow format '{}'", argument, expected,
                                   schema.format == nullptr ? "" : schema.format)
                           .c_str());
}

}  // namespace

BytesColumn::BytesColumn(nb::handle container, const std::string& argument) {
  ArrowStream::supports(container) ? read_arrow(container, argument) : read_items(container, argument);
}

void BytesColumn::read_arrow(nb::handle container, const std::string& argument) {
  ArrowStream stream(container, argument);
  ArrowSchema schema = stream.schema();  // borrowed, with another format
  const char* const format = text_format(schema);
  if (format == nullptr) wrong_column(schema, argument, "bytes");
  schema.format = format;
  while (auto array = stream.next()) {
    const TextColumn column(schema, **array, argument);
    for (uint64_t row = 0; row < column.size(); ++row) {
      if (column.is_null(row)) throw nb::type_error(fmt::format("{}[{}] is null, not bytes", argument, views_.size()).c_str());
      views_.push_back(column[row]);
    }
    arrays_.push_back(std::move(*array));
  }
}

void BytesColumn::read_items(nb::handle container, const std::string& argument) {
  // A tuple of its own: it cannot change while the lock of the interpreter is given up.
  items_ = nb::steal(PyBytes_Check(container.ptr()) ? nullptr : PySequence_Tuple(container.ptr()));
  if (!items_.is_valid()) {
    PyErr_Clear();
    throw nb::type_error(fmt::format("{}: expected bytes in an Arrow array or a list, got {}", argument, type_of(container)).c_str());
  }
  for (Py_ssize_t i = 0; i < PyTuple_Size(items_.ptr()); ++i) {
    PyObject* const item = PyTuple_GetItem(items_.ptr(), i);
    if (!PyBytes_Check(item)) throw nb::type_error(fmt::format("{}[{}] must be bytes, not {}", argument, i, type_of(item)).c_str());
    char* content = nullptr;
    Py_ssize_t size = 0;
    if (PyBytes_AsStringAndSize(item, &content, &size) != 0) throw nb::python_error();
    views_.emplace_back(content, static_cast<size_t>(size));
  }
}

NullableTexts::NullableTexts(nb::handle container, const std::string& argument) {
  if (!ArrowStream::supports(container))
    throw nb::type_error(fmt::format("{}: expected an Arrow array of strings, got {}", argument, type_of(container)).c_str());
  ArrowStream stream(container, argument);
  if (!TextColumn::is_text(stream.schema())) wrong_column(stream.schema(), argument, "strings");
  while (auto array = stream.next()) {
    const TextColumn column(stream.schema(), **array, argument);
    for (uint64_t row = 0; row < column.size(); ++row) views_.push_back(column.is_null(row) ? std::nullopt : std::optional(column[row]));
    arrays_.push_back(std::move(*array));
  }
}

void check_lengths(size_t ranks, size_t others, std::string_view name) {
  if (ranks != others) throw Error(ErrorCode::kUsage, fmt::format("there are {} ranks and {} {}", ranks, others, name));
}

nb::bytes bytes_of(std::string_view bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}

nb::tuple blob_tuple(const Blob& blob) {
  return nb::make_tuple(blob.part, static_cast<int>(blob.kind), bytes_of(blob.bytes));
}

nb::list blob_list(const std::vector<Blob>& blobs) {
  nb::list list;
  for (const Blob& blob : blobs) list.append(blob_tuple(blob));
  return list;
}

}  // namespace neardup::python
