// _core.ClueIndex: a folder of texts in which passages are found.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void bind_clue(nanobind::module_& module);

}  // namespace neardup::python
