// library_versions() in Python.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void bind_versions(nanobind::module_& module);

}  // namespace neardup::python
