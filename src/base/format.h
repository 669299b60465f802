// append_format(): fmt::format() onto the end of a string. The formatting itself is compiled once, in format.cc: as a template
// (fmt::format_to) it costs every file that uses it two seconds.
#pragma once

#include <fmt/format.h>

#include <string>

namespace neardup {

void append_formatted(std::string& out, fmt::string_view format, fmt::format_args arguments);

template <typename... T>
void append_format(std::string& out, fmt::format_string<T...> format, T&&... arguments) {
  append_formatted(out, format, fmt::make_format_args(arguments...));
}

}  // namespace neardup
