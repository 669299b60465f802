#include "datasketch/tokens.h"

#include <algorithm>

#include "str_of.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

// A buffer of an object, given back at the end of the scope.
class Buffer {
 public:
  explicit Buffer(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
  }
  ~Buffer() { PyBuffer_Release(&view_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  [[nodiscard]] std::string_view bytes() const noexcept { return {static_cast<const char*>(view_.buf), static_cast<size_t>(view_.len)}; }

 private:
  Py_buffer view_{};
};

[[noreturn]] void refuse(nb::handle token) {
  const std::string advice = PyUnicode_Check(token.ptr()) != 0 ? ": encode it first, for example token.encode(\"utf-8\")" : "";
  throw nb::type_error(("a token must be bytes or another object with a buffer, not " + type_of(token) + advice).c_str());
}

}  // namespace

Tokens::~Tokens() {
  clear();
}

void Tokens::add(nb::handle token) {
  if (PyBytes_CheckExact(token.ptr()) == 0) {
    add_copy(token);
    return;
  }
  char* bytes = nullptr;
  Py_ssize_t size = 0;
  PyBytes_AsStringAndSize(token.ptr(), &bytes, &size);
  views_.emplace_back(bytes, static_cast<size_t>(size));
  objects_.push_back(token.ptr());
  if (held_) Py_INCREF(token.ptr());
}

void Tokens::add_copy(nb::handle token) {
  if (PyObject_CheckBuffer(token.ptr()) == 0) refuse(token);
  const nb::object owner = nb::borrow(token);
  hold();  // asking for a buffer can run code of the caller's, which could drop the tokens so far
  const Buffer buffer(token);
  views_.emplace_back(copies_.emplace_front(buffer.bytes()));
}

void Tokens::add_all(nb::handle iterable) {
  if (PyList_CheckExact(iterable.ptr()) != 0) {
    reserve(static_cast<size_t>(PyList_Size(iterable.ptr())));
    // The size is asked for each time: a token's buffer can run code that changes the list.
    for (Py_ssize_t i = 0; i < PyList_Size(iterable.ptr()); ++i) add(PyList_GetItem(iterable.ptr(), i));
    return;
  }
  if (PyTuple_CheckExact(iterable.ptr()) != 0) {
    reserve(static_cast<size_t>(PyTuple_Size(iterable.ptr())));
    for (Py_ssize_t i = 0; i < PyTuple_Size(iterable.ptr()); ++i) add(PyTuple_GetItem(iterable.ptr(), i));
    return;
  }
  hold();  // an iterator's items may live only until the next one
  for (const nb::handle token : nb::iter(iterable)) add(token);
}

void Tokens::reserve(size_t more) {
  // At least doubled: many small sets must not each move all tokens before them.
  const size_t wanted = views_.size() + more;
  if (wanted <= views_.capacity()) return;
  views_.reserve(std::max(wanted, 2 * views_.capacity()));
  objects_.reserve(views_.capacity());
}

void Tokens::hold() {
  if (held_) return;
  for (PyObject* const object : objects_) Py_INCREF(object);
  held_ = true;
}

void Tokens::clear() noexcept {
  if (held_) {
    for (PyObject* const object : objects_) Py_DECREF(object);
  }
  held_ = false;
  objects_.clear();
  views_.clear();
  copies_.clear();
}

}  // namespace neardup::python
