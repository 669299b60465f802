#include "texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "arrow/stream.h"
#include "arrow/text_column.h"
#include "neardup/error.h"
#include "str_of.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

void check_length(std::string_view text, const std::string& what) {
  if (text.size() <= kMaxTextBytes) return;
  throw Error(ErrorCode::kUsage, fmt::format("{} has {} bytes of UTF-8; a text has at most {}", what, text.size(), kMaxTextBytes));
}

// UTF-8 has no surrogates; encoded nevertheless they are three bytes each, as U+FFFD is.
void replace_surrogates(std::string& text) {
  for (size_t i = 0; i + 2 < text.size(); ++i) {
    const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
    if (byte(i) == 0xED && byte(i + 1) >= 0xA0) text.replace(i, 3, "\xEF\xBF\xBD");
  }
}

// A table is the most likely mistake.
[[noreturn]] void not_a_column(const ArrowSchema& schema, const std::string& argument) {
  std::string columns;
  for (int64_t i = 0; schema.children != nullptr && i < schema.n_children; ++i) {
    const char* const name = schema.children[i]->name;
    columns += fmt::format("{}{}", i == 0 ? "" : ", ", name == nullptr ? "" : name);
  }
  const std::string_view format = schema.format == nullptr ? "" : schema.format;
  throw nb::type_error((format == "+s"
                            ? fmt::format("{}: expected one column of strings, got a table with the columns {}", argument, columns)
                            : fmt::format("{}: expected a column of strings, got one of Arrow format '{}'", argument, format))
                           .c_str());
}

}  // namespace

std::string_view text_of(nb::handle text, std::deque<std::string>& repaired, const std::string& what) {
  if (!PyUnicode_Check(text.ptr())) throw nb::type_error(fmt::format("{} must be a str, not {}", what, type_of(text)).c_str());
  Py_ssize_t bytes = 0;
  if (const char* const utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), &bytes); utf8 != nullptr) {
    const std::string_view view(utf8, static_cast<size_t>(bytes));
    check_length(view, what);
    return view;
  }
  if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError) == 0) throw nb::python_error();
  PyErr_Clear();
  const nb::object encoded = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
  if (!encoded.is_valid()) throw nb::python_error();
  char* content = nullptr;
  if (PyBytes_AsStringAndSize(encoded.ptr(), &content, &bytes) != 0) throw nb::python_error();
  check_length({content, static_cast<size_t>(bytes)}, what);
  std::string& kept = repaired.emplace_back(content, static_cast<size_t>(bytes));
  replace_surrogates(kept);
  return kept;
}

Texts::Texts(nb::handle container, const std::string& argument) {
  if (PyUnicode_Check(container.ptr()) || PyBytes_Check(container.ptr()))
    throw nb::type_error(fmt::format("{}: expected several texts, got one {}; put it into a list", argument, type_of(container)).c_str());
  if (ArrowStream::supports(container)) {
    try {
      read_arrow(container, argument);
      return;
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_ImportError)) throw;  // pandas needs pyarrow for it
    }
  }
  read_items(container, argument);
}

void Texts::read_arrow(nb::handle container, const std::string& argument) {
  ArrowStream stream(container, argument);
  if (!TextColumn::is_text(stream.schema())) not_a_column(stream.schema(), argument);
  while (auto array = stream.next()) {
    const TextColumn column(stream.schema(), **array, argument);
    for (uint64_t row = 0; row < column.size(); ++row) {
      if (column.is_null(row)) throw nb::type_error(fmt::format("{}[{}] is null, not a string", argument, views_.size()).c_str());
      add(column[row], argument);
    }
    arrays_.push_back(std::move(*array));
  }
}

void Texts::read_items(nb::handle container, const std::string& argument) {
  if (nb::isinstance<nb::dict>(container) || PyAnySet_Check(container.ptr()))
    throw nb::type_error(fmt::format("{}: expected texts in order, got a {}", argument, type_of(container)).c_str());
  const nb::object iterator = nb::steal(PyObject_GetIter(container.ptr()));
  if (!iterator.is_valid()) {
    PyErr_Clear();
    throw nb::type_error(
        fmt::format("{}: expected texts (a list of str, a column of a frame, an Arrow array), got {}", argument, type_of(container))
            .c_str());
  }
  // A tuple of its own: it cannot change while the lock of the interpreter is given up.
  items_ = nb::steal(PySequence_Tuple(iterator.ptr()));
  if (!items_.is_valid()) throw nb::python_error();
  const Py_ssize_t count = PyTuple_Size(items_.ptr());
  views_.reserve(static_cast<size_t>(count));
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* const item = PyTuple_GetItem(items_.ptr(), i);
    if (!PyUnicode_Check(item)) throw nb::type_error(fmt::format("{}[{}] must be a str, not {}", argument, i, type_of(item)).c_str());
    add(text_of(item, repaired_, argument), argument);
  }
}

void Texts::add(std::string_view text, const std::string& argument) {
  check_length(text, argument);
  views_.push_back(text);
  bytes_ += text.size();
}

}  // namespace neardup::python
