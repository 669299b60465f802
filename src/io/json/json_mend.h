// mended_json(): a line of JSON that BSON cannot take as it stands, changed where it has to be.
//
// Lines of ours may have half surrogate pairs in their strings (they become U+FFFD), whole numbers beyond 64 bits (they become doubles) and
// numbers beyond the range of a double (they become infinite, or 0). Only called for lines that were refused.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

/// `line` is JSON by check_json().
std::string mended_json(std::string_view line);

}  // namespace neardup
