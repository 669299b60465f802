// The fingerprints for neardup.compat.simhash: what its Python sources call.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

/// Adds simhash_text, simhash_texts and simhash_features to the module.
void bind_simhash(nanobind::module_& module);

}  // namespace neardup::python
