// The classes of errors: neardup.Error and its children, which are also the ones of Python that fit.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

/// Adds Error, UsageError (a ValueError), InputError and OutputError (OSErrors) and ResourceError (a MemoryError) to the module, and from
/// then on turns neardup::Error into them, with its message.
void bind_errors(nanobind::module_& module);

}  // namespace neardup::python
