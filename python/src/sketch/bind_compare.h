// Two texts: _core.compare() and _core.align().
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void bind_compare(nanobind::module_& module);

}  // namespace neardup::python
