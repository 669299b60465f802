#include "python_text.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <functional>

namespace nb = nanobind;

namespace neardup::python {
namespace {

nb::object checked(PyObject* made) {
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

nb::object decoded(nb::handle bytes) {
  const nb::object copy = checked(PyBytes_FromObject(bytes.ptr()));
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(copy.ptr(), &data, &size) != 0) throw nb::python_error();
  PyObject* text = PyUnicode_DecodeUTF8(data, size, nullptr);
  if (text == nullptr && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) {
    PyErr_Clear();
    text = PyUnicode_Decode(data, size, "gbk", "ignore");
  }
  return checked(text);
}

// The bytes of a surrogate in the manner of UTF-8: ED A0..BF 80..BF.
bool is_surrogate(std::string_view bytes, size_t at) {
  return bytes[at] == '\xED' && static_cast<unsigned char>(bytes[at + 1]) >= 0xA0;
}

}  // namespace

PythonText::PythonText(nb::handle text, Bytes bytes, std::string_view name) {
  nb::object kept = nb::borrow(text);
  if (PyUnicode_Check(text.ptr()) == 0) {
    const bool is_bytes = PyBytes_Check(text.ptr()) != 0 || PyByteArray_Check(text.ptr()) != 0;
    if (bytes == Bytes::kRefused || !is_bytes) {
      const char* const wanted = bytes == Bytes::kRefused ? "str" : "str or bytes";
      const auto kind = nb::cast<std::string>(nb::borrow(reinterpret_cast<PyObject*>(Py_TYPE(text.ptr()))).attr("__name__"));
      PyErr_SetString(PyExc_TypeError, fmt::format("{} must be {}, not {}", name, wanted, kind).c_str());
      throw nb::python_error();
    }
    kept = decoded(text);
  }
  bytes_ = nb::steal(PyUnicode_AsUTF8String(kept.ptr()));
  const bool surrogates = !bytes_.is_valid();
  if (surrogates) {
    if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError) == 0) throw nb::python_error();
    PyErr_Clear();
    bytes_ = checked(PyUnicode_AsEncodedString(kept.ptr(), "utf-8", "surrogatepass"));
  }
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(bytes_.ptr(), &data, &size) != 0) throw nb::python_error();
  original_ = {data, static_cast<size_t>(size)};
  if (!surrogates) return;
  replaced_ = original_;
  for (size_t at = 0; at + 2 < replaced_.size(); ++at) {
    if (is_surrogate(original_, at)) replaced_.replace(at, 3, "\xEF\xBF\xBD");  // as long, so places stay the same
  }
}

nb::object PythonText::word(std::string_view part) const {
  const std::less_equal<const char*> before;
  const std::string_view whole = view();
  const bool inside = before(whole.data(), part.data()) && before(part.data() + part.size(), whole.data() + whole.size());
  if (exact() || !inside) return checked(PyUnicode_DecodeUTF8(part.data(), static_cast<Py_ssize_t>(part.size()), "replace"));
  const std::string_view original = original_.substr(static_cast<size_t>(part.data() - whole.data()), part.size());
  return checked(PyUnicode_Decode(original.data(), static_cast<Py_ssize_t>(original.size()), "utf-8", "surrogatepass"));
}

}  // namespace neardup::python
