// in_python(): a message of the library, which names options as the command line has them, for those who call the package.
#pragma once

#include <string>
#include <string_view>

namespace neardup::python {

/// "--max-rejects 100%" -> "max_rejects='100%'", "--memory" -> "memory". A whole command in quotes ('neardup pairs --threshold 0.5') and
/// options that only the command line has stay as they are.
std::string in_python(std::string_view message);

}  // namespace neardup::python
