// OutputTree: which file below a folder belongs to which input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/source.h"

namespace neardup {

/// The targets of all sources from `first` on: the same names below `directory`, without the longest folder that all share.
/// Throws Error{kOutput} for standard input, which has no name, and for two inputs that would have one target.
std::vector<std::string> output_names(const std::string& directory, const DocumentSource& source, uint32_t first);

}  // namespace neardup
