// WordStrings: lists of str made of words in UTF-8, without making a str for a frequent word again and again.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "python_text.h"

namespace neardup::python {

/// A cache of frequent words that are at most 15 bytes long: nearly all words of Chinese and half of the English ones. str is immutable, so
/// two lists may have the same one; that takes a fraction of the time and memory of a new one. All uses hold the lock of the interpreter.
class WordStrings {
 public:
  /// The one of the process. Its strings live as long as the process.
  static WordStrings& shared();

  WordStrings() : entries_(kEntries) {}
  WordStrings(const WordStrings&) = delete;
  WordStrings& operator=(const WordStrings&) = delete;

  /// The list of the words, which are views into `text` or elsewhere.
  nanobind::object list_of(const PythonText& text, std::span<const std::string_view> words);
  /// The str of one word.
  nanobind::object string_of(const PythonText& text, std::string_view word) { return nanobind::steal(get(text, word)); }

 private:
  static constexpr size_t kBits = 16;
  static constexpr size_t kEntries = size_t{1} << kBits;
  static constexpr size_t kLongest = 15;

  // The bytes of a word, filled up with zeros, and its length in the last byte.
  struct Key {
    uint64_t low = 0;
    uint64_t high = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  // Of a size that no entry lies in two cache lines.
  struct alignas(32) Entry {
    Key key;
    PyObject* string = nullptr;  // owned
    bool used = false;           // since another word wanted the place, which it gets when the word was not used
  };

  [[nodiscard]] static bool is_short(const PythonText& text, std::string_view word) { return word.size() <= kLongest && text.exact(); }
  [[nodiscard]] static Key key_of(std::string_view whole, std::string_view word);
  [[nodiscard]] Entry& entry_of(const Key& key);
  [[nodiscard]] PyObject* get(const PythonText& text, std::string_view word);
  [[nodiscard]] static PyObject* get(const PythonText& text, std::string_view word, const Key& key, Entry& entry);

  std::vector<Entry> entries_;
};

}  // namespace neardup::python
