// say: formatted text to standard output. It never fails; run_program checks the stream once, at the end.
//
// Four kinds: say() for text, in which everything that could control a terminal is escaped; say_styled() for text with colors; say_json()
// for JSON, whose escapes stay JSON; say_data() for tables of data that other programs read, where the bytes stay as they are unless
// standard output is a terminal.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "neardup/tools/printable.h"

namespace neardup::cli {

inline void write_output(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

template <typename... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  write_output(printable(fmt::format(format, std::forward<Args>(args)...), Escapes::kLines));
}

inline void say_json(std::string_view json) {
  write_output(printable(json, Escapes::kJson));
}

/// For text with our colors, whose external parts are already printable().
inline void say_styled(std::string_view text) {
  write_output(text);
}

template <typename... Args>
void say_data(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  write_output(isatty(STDOUT_FILENO) == 1 ? printable(text, Escapes::kLines) : text);
}

}  // namespace neardup::cli
