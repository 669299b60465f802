// A JSON array as the text that PostgreSQL reads as an array (manual, section 8.15.6).
#pragma once

#include <string>
#include <string_view>

namespace neardup {

/// Requires a JSON array. Elements are quoted; null is NULL; arrays inside are further dimensions.
std::string postgres_array(std::string_view json);

}  // namespace neardup
