// The options of a run by the rows of the option table, as the package passes them: names and texts.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/options.h"

namespace neardup::python {

using GivenOptions = std::vector<std::pair<std::string, std::string>>;

/// The row with this name, if `command` takes it. Throws UsageError otherwise, with the nearest name.
const OptionRow& option_row(const std::string& name, std::string_view command);

/// Throws UsageError for unknown names and for values out of bounds.
Options options_of(const GivenOptions& given, std::string_view command);

}  // namespace neardup::python
