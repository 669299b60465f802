#include "str_of.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace neardup::python {

std::string type_of(nb::handle object) {
  return nb::cast<std::string>(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr()))).attr("__name__"));
}

}  // namespace neardup::python
