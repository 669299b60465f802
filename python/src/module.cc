// The extension module neardup._core. What users import is in python/neardup; each part of the library is bound in a file of its own.
#include <nanobind/nanobind.h>

#include "datasketch/bind_datasketch.h"
#include "errors.h"

NB_MODULE(_core, module) {
  module.attr("__version__") = NEARDUP_VERSION;
  neardup::python::bind_errors(module);
  neardup::python::bind_datasketch(module);
}
