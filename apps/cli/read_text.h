// read_text: a whole file, or standard input, as one text.
#pragma once

#include <string>

namespace neardup::cli {

/// "-" is standard input. Throws Error{kInput} for what cannot be read, and for more than 1 GiB.
std::string read_text(const std::string& path);

}  // namespace neardup::cli
