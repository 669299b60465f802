#include "jieba/word_strings.h"

#include <cstring>

namespace nb = nanobind;

namespace neardup::python {

WordStrings& WordStrings::shared() {
  static WordStrings* const strings = new WordStrings;  // never freed: the interpreter may be gone before static objects are
  return *strings;
}

PyObject* WordStrings::get(const PythonText& text, std::string_view word) {
  if (word.size() > kLongest || !text.exact()) return text.word(word).release().ptr();
  uint64_t halves[2] = {};
  const std::string_view whole = text.view();
  // Reads 16 bytes where the text has them, because a copy of a length that varies is a call.
  if (word.data() >= whole.data() && word.data() + sizeof halves <= whole.data() + whole.size()) {
    std::memcpy(halves, word.data(), sizeof halves);
    const size_t bits = 8 * word.size();
    halves[0] &= bits < 64 ? (uint64_t{1} << bits) - 1 : ~uint64_t{0};
    halves[1] &= bits <= 64 ? 0 : (uint64_t{1} << (bits - 64)) - 1;
  } else {
    std::memcpy(halves, word.data(), word.size());
  }
  const uint64_t low = halves[0];
  const uint64_t high = halves[1] | uint64_t{word.size()} << 56;
  // Fibonacci hashing: the upper bits of the product.
  const uint64_t hash = (low ^ (high << 29 | high >> 35)) * uint64_t{0x9E3779B97F4A7C15};
  Entry& entry = entries_[(hash ^ (hash << 32)) >> (64 - kBits)];
  if (entry.string != nullptr && entry.low == low && entry.high == high) {
    Py_INCREF(entry.string);
    return entry.string;
  }
  PyObject* const made = text.word(word).release().ptr();
  PyObject* const old = entry.string;
  entry = {low, high, made};
  Py_INCREF(made);
  Py_XDECREF(old);
  return made;
}

nb::object WordStrings::list_of(const PythonText& text, std::span<const std::string_view> words) {
  nb::object list = nb::steal(PyList_New(static_cast<Py_ssize_t>(words.size())));
  if (!list.is_valid()) throw nb::python_error();
  for (size_t i = 0; i < words.size(); ++i) {
    PyObject* const word = get(text, words[i]);
    if (PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(i), word) != 0) throw nb::python_error();
  }
  return list;
}

}  // namespace neardup::python
