// _core.plan_run() and _core.plan_index(): what a run or an index finds, misses and costs, as `neardup plan --json` says it.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void bind_plan(nanobind::module_& module);

}  // namespace neardup::python
