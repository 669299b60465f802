#include "python_text.h"

#include <fmt/format.h>

#include <functional>

#include "str_of.h"

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

// A str of well-formed UTF-8. The decoder of Python is made for long texts: of a word it takes twice the time.
PyObject* new_string(std::string_view utf8) {
  static_assert(sizeof(wchar_t) == sizeof(char32_t));
  constexpr size_t kShort = 64;
  if (utf8.size() > kShort) return PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), nullptr);
  wchar_t characters[kShort];
  size_t count = 0;
  const auto low = [&](size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(utf8[i])) & 0x3F; };
  for (size_t at = 0; at < utf8.size();) {
    const unsigned first = static_cast<unsigned char>(utf8[at]);
    const size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    const unsigned c = length == 1   ? first
                       : length == 2 ? (first & 0x1F) << 6 | low(at + 1)
                       : length == 3 ? (first & 0x0F) << 12 | low(at + 1) << 6 | low(at + 2)
                                     : (first & 0x07) << 18 | low(at + 1) << 12 | low(at + 2) << 6 | low(at + 3);
    characters[count++] = static_cast<wchar_t>(c);
    at += length;
  }
  return PyUnicode_FromWideChar(characters, static_cast<Py_ssize_t>(count));
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
      throw nb::type_error(fmt::format("{} must be {}, not {}", name, wanted, type_of(text)).c_str());
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
  if (exact() || !inside) return checked(new_string(part));
  const std::string_view original = original_.substr(static_cast<size_t>(part.data() - whole.data()), part.size());
  return checked(PyUnicode_Decode(original.data(), static_cast<Py_ssize_t>(original.size()), "utf-8", "surrogatepass"));
}

}  // namespace neardup::python
