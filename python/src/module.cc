// The extension module neardup._core. What users import is in python/neardup; each part of the library is bound in a file of its own.
#include <nanobind/nanobind.h>

#include "errors.h"
#include "jieba/bind_jieba.h"
#include "simhash/bind_simhash.h"

NB_MODULE(_core, module) {
  module.attr("__version__") = NEARDUP_VERSION;
  neardup::python::bind_errors(module);
  neardup::python::bind_jieba(module);
  neardup::python::bind_simhash(module);
}
