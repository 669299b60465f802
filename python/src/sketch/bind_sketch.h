// _core.Sketcher: texts to sketches, in arrays.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void bind_sketch(nanobind::module_& module);

}  // namespace neardup::python
