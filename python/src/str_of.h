// Strings between C++ and Python.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

namespace neardup::python {

/// A str; malformed UTF-8 reads as U+FFFD.
inline nanobind::object str_of(std::string_view text) {
  nanobind::object made = nanobind::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  if (!made.is_valid()) throw nanobind::python_error();
  return made;
}

/// The name of the type of an object, for messages.
std::string type_of(nanobind::handle object);

}  // namespace neardup::python
