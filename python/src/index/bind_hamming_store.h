// _core.HammingStore: an index of fingerprints in a folder.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

void bind_hamming_store(nanobind::module_& module);

}  // namespace neardup::python
