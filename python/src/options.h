// options_of(): the options of a run, from keyword arguments, by the rows of the option table.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

#include "neardup/options.h"

namespace neardup::python {

/// The text that a row of the table reads: of numbers their shortest decimal digits, of booleans "true" and "false", of lists their
/// elements with commas, of paths the path, of a dict its JSON. Throws TypeError that names the option for anything else.
std::string option_text(const std::string& name, nanobind::handle value);

/// Every member of `given` must be a row of the table that `command` takes; None is the default. Throws UsageError, with the nearest name
/// for an unknown one, and TypeError.
Options options_of(const nanobind::dict& given, std::string_view command);

}  // namespace neardup::python
