// bind_blob_iterator(): finish() of a stage, which returns the stage itself: from then on an iterator over what it makes.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

template <typename Object>
void bind_blob_iterator(nanobind::class_<Object>& bound) {
  namespace nb = nanobind;
  bound
      .def(
          "finish",
          [](nb::handle_t<Object> self) {
            nb::cast<Object&>(self).finish();
            return nb::borrow(self);
          },
          nb::sig("def finish(self) -> typing.Self"))
      .def(
          "__iter__", [](nb::handle_t<Object> self) { return nb::borrow(self); }, nb::sig("def __iter__(self) -> typing.Self"))
      .def("__next__", &Object::next);
}

}  // namespace neardup::python
