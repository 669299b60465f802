// The native half of neardup.compat.datasketch, as the submodule neardup._core.datasketch.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

/// Adds the submodule. Its classes are bases and parts of those in python/neardup/compat/datasketch.
void bind_datasketch(nanobind::module_& module);

// One file each.
void bind_datasketch_minhash(nanobind::module_& module);
void bind_datasketch_lsh(nanobind::module_& module);

}  // namespace neardup::python
