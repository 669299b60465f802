// The segmenter for neardup.jieba: what its Python sources call.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

/// Adds the classes Segmenter and Keywords to the module.
void bind_jieba(nanobind::module_& module);

}  // namespace neardup::python
