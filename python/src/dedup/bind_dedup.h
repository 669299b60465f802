// The bindings of dedup() and pairs(), which neardup/_dedup.py wraps.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void bind_dedup(nanobind::module_& module);

}  // namespace neardup::python
