#include "jieba/word_strings.h"

#include <algorithm>
#include <cstring>

namespace nb = nanobind;

namespace neardup::python {

namespace {

// Of a new list; takes over the reference. The stable ABI has only the function that looks for an item to replace.
void set_item(PyObject* list, size_t i, PyObject* item) {
#ifdef Py_LIMITED_API
  if (PyList_SetItem(list, static_cast<Py_ssize_t>(i), item) != 0) throw nb::python_error();
#else
  PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), item);
#endif
}

}  // namespace

WordStrings& WordStrings::shared() {
  static WordStrings* const strings = new WordStrings;  // never freed: the interpreter may be gone before static objects are
  return *strings;
}

WordStrings::Key WordStrings::key_of(std::string_view whole, std::string_view word) {
  uint64_t halves[2] = {};
  // Reads 16 bytes where the text has them, because a copy of a length that varies is a call.
  if (word.data() >= whole.data() && word.data() + sizeof halves <= whole.data() + whole.size()) {
    std::memcpy(halves, word.data(), sizeof halves);
    const size_t bits = 8 * word.size();
    halves[0] &= bits < 64 ? (uint64_t{1} << bits) - 1 : ~uint64_t{0};
    halves[1] &= bits <= 64 ? 0 : (uint64_t{1} << (bits - 64)) - 1;
  } else {
    std::memcpy(halves, word.data(), word.size());
  }
  return {halves[0], halves[1] | uint64_t{word.size()} << 56};
}

WordStrings::Entry& WordStrings::entry_of(const Key& key) {
  // Fibonacci hashing: the upper bits of the product.
  const uint64_t hash = (key.low ^ (key.high << 29 | key.high >> 35)) * uint64_t{0x9E3779B97F4A7C15};
  return entries_[(hash ^ (hash << 32)) >> (64 - kBits)];
}

PyObject* WordStrings::get(const PythonText& text, std::string_view word) {
  if (!is_short(text, word)) return text.word(word).release().ptr();
  const Key key = key_of(text.view(), word);
  return get(text, word, key, entry_of(key));
}

PyObject* WordStrings::get(const PythonText& text, std::string_view word, const Key& key, Entry& entry) {
  if (entry.string != nullptr && entry.key == key) {
    entry.used = true;
    Py_INCREF(entry.string);
    return entry.string;
  }
  PyObject* const made = text.word(word).release().ptr();
  // A rare word does not push out a frequent one, only to never come again.
  if (entry.used) {
    entry.used = false;
    return made;
  }
  PyObject* const old = entry.string;
  entry.key = key;
  entry.string = made;
  Py_INCREF(made);
  Py_XDECREF(old);
  return made;
}

nb::object WordStrings::list_of(const PythonText& text, std::span<const std::string_view> words) {
  nb::object list = nb::steal(PyList_New(static_cast<Py_ssize_t>(words.size())));
  if (!list.is_valid()) throw nb::python_error();
  const std::string_view whole = text.view();
  // In blocks, so that the entries, and then the strings, of several words are on their way from memory at the same time.
  constexpr size_t kBlock = 32;
  Key keys[kBlock];
  Entry* entries[kBlock];
  for (size_t begin = 0; begin < words.size(); begin += kBlock) {
    const size_t count = std::min(kBlock, words.size() - begin);
    const std::span<const std::string_view> block = words.subspan(begin, count);
    for (size_t i = 0; i < count; ++i) {
      entries[i] = nullptr;
      if (!is_short(text, block[i])) continue;
      keys[i] = key_of(whole, block[i]);
      entries[i] = &entry_of(keys[i]);
      __builtin_prefetch(entries[i], 1);
    }
    for (size_t i = 0; i < count; ++i) {
      if (entries[i] != nullptr) __builtin_prefetch(entries[i]->string, 1);
    }
    for (size_t i = 0; i < count; ++i) {
      PyObject* const word = entries[i] != nullptr ? get(text, block[i], keys[i], *entries[i]) : text.word(block[i]).release().ptr();
      set_item(list.ptr(), begin + i, word);
    }
  }
  return list;
}

}  // namespace neardup::python
