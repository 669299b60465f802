#include "dedup/list_column.h"

#include <cmath>
#include <cstring>
#include <string_view>

namespace nb = nanobind;

namespace neardup::python {
namespace {

constexpr Py_ssize_t kItemsPerLook = 1 << 16;  // for signals

// The objects that pandas has for a missing value, without importing it.
bool is_missing(nb::handle object) {
  if (object.is_none()) return true;
  const nb::object name = nb::steal(PyType_GetName(Py_TYPE(object.ptr())));
  if (!name.is_valid()) {
    PyErr_Clear();
    return false;
  }
  const char* const text = PyUnicode_AsUTF8AndSize(name.ptr(), nullptr);
  if (text == nullptr) {
    PyErr_Clear();
    return false;
  }
  return std::strcmp(text, "NAType") == 0 || std::strcmp(text, "NaTType") == 0;
}

}  // namespace

ListColumn::ListColumn(nb::handle iterable) : objects_(nb::steal(PySequence_Tuple(iterable.ptr()))) {
  if (!objects_.is_valid()) throw nb::python_error();
  const Py_ssize_t count = PyTuple_Size(objects_.ptr());
  items_.reserve(static_cast<size_t>(count));
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (i % kItemsPerLook == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
    items_.push_back(read(PyTuple_GetItem(objects_.ptr(), i)));
  }
}

ListColumn::~ListColumn() {
  const nb::gil_scoped_acquire locked;
  objects_.reset();
}

Cell ListColumn::cell(uint64_t row, std::string&) const {
  const Item& item = items_[row];
  return {.kind = item.kind, .repaired = item.repaired, .text = {item.data, item.bytes}};
}

ListColumn::Item ListColumn::read(nb::handle object) {
  if (PyUnicode_Check(object.ptr())) return read_string(object);
  if (PyBool_Check(object.ptr())) {
    const std::string_view text = object.ptr() == Py_True ? "true" : "false";
    return {text.data(), text.size(), Cell::Kind::kBoolean, false};
  }
  if (PyFloat_Check(object.ptr()) || PyIndex_Check(object.ptr())) return read_number(object);
  return {.kind = is_missing(object) ? Cell::Kind::kNull : Cell::Kind::kOther};
}

ListColumn::Item ListColumn::read_string(nb::handle object) {
  Py_ssize_t bytes = 0;
  if (const char* const utf8 = PyUnicode_AsUTF8AndSize(object.ptr(), &bytes); utf8 != nullptr) {
    return {utf8, static_cast<size_t>(bytes), Cell::Kind::kString, false};
  }
  if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError) == 0) throw nb::python_error();
  PyErr_Clear();
  // By way of UTF-16, as JSON is read: two surrogates that belong together are a character, and others U+FFFD.
  const nb::object pairs = nb::steal(PyUnicode_AsEncodedString(object.ptr(), "utf-16-le", "surrogatepass"));
  char* content = nullptr;
  if (!pairs.is_valid() || PyBytes_AsStringAndSize(pairs.ptr(), &content, &bytes) != 0) throw nb::python_error();
  const nb::object whole = nb::steal(PyUnicode_Decode(content, bytes, "utf-16-le", "strict"));
  if (whole.is_valid()) return keep(whole, Cell::Kind::kString, false);
  if (PyErr_ExceptionMatches(PyExc_UnicodeDecodeError) == 0) throw nb::python_error();
  PyErr_Clear();
  const nb::object repaired = nb::steal(PyUnicode_Decode(content, bytes, "utf-16-le", "replace"));
  if (!repaired.is_valid()) throw nb::python_error();
  return keep(repaired, Cell::Kind::kString, true);
}

ListColumn::Item ListColumn::read_number(nb::handle object) {
  nb::object digits;
  if (PyFloat_Check(object.ptr())) {
    const double value = PyFloat_AsDouble(object.ptr());
    if (std::isnan(value)) return {};
    if (std::isinf(value)) return {.kind = Cell::Kind::kOther};
    // A subclass may write itself in another way.
    const nb::object plain = nb::steal(PyFloat_FromDouble(value));
    if (plain.is_valid()) digits = nb::steal(PyObject_Repr(plain.ptr()));
  } else {
    const nb::object whole = nb::steal(PyNumber_Index(object.ptr()));
    if (whole.is_valid()) digits = nb::steal(PyObject_CallMethod(whole.ptr(), "__format__", "s", "d"));
  }
  if (digits.is_valid() && PyUnicode_Check(digits.ptr())) return keep(digits, Cell::Kind::kNumber, false);
  // Such as a number with more digits than Python writes. Not for what should end the call: Ctrl-C, or no memory.
  if (PyErr_Occurred() != nullptr && (PyErr_ExceptionMatches(PyExc_Exception) == 0 || PyErr_ExceptionMatches(PyExc_MemoryError) != 0))
    throw nb::python_error();
  PyErr_Clear();
  return {.kind = Cell::Kind::kOther};
}

ListColumn::Item ListColumn::keep(nb::handle string, Cell::Kind kind, bool repaired) {
  Py_ssize_t bytes = 0;
  const char* const utf8 = PyUnicode_AsUTF8AndSize(string.ptr(), &bytes);
  if (utf8 == nullptr) throw nb::python_error();
  const std::string& text = kept_.emplace_back(utf8, static_cast<size_t>(bytes));
  return {text.data(), text.size(), kind, repaired};
}

}  // namespace neardup::python
