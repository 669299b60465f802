// Tokens: the bytes of Python objects, for hashing.
#pragma once

#include <nanobind/nanobind.h>

#include <forward_list>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::python {

/// Collects the bytes of tokens: of bytes in place, of other objects with the buffer protocol as a copy. The views are valid as long as the
/// caller has the lock of the interpreter and runs no Python; after hold(), as long as this object lives. Needs the lock, also to be
/// destroyed.
class Tokens {
 public:
  Tokens() = default;
  ~Tokens();
  Tokens(const Tokens&) = delete;
  Tokens& operator=(const Tokens&) = delete;

  /// Throws a TypeError for a str and for an object without a buffer.
  void add(nanobind::handle token);
  /// All items of an iterable; a list or tuple is read without an iterator.
  void add_all(nanobind::handle iterable);
  /// Takes references to all tokens, and to those that are added from now on.
  void hold();
  void clear() noexcept;

  [[nodiscard]] const std::vector<std::string_view>& views() const noexcept { return views_; }

 private:
  void add_copy(nanobind::handle token);
  void reserve(size_t more);

  bool held_ = false;
  std::vector<std::string_view> views_;
  std::vector<PyObject*> objects_;  // owners of the views into bytes; references if held_
  std::forward_list<std::string> copies_;
};

}  // namespace neardup::python
