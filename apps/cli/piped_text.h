// Plain text on standard input, for commands that print words: recognized without reading it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neardup::cli {

/// True if standard input is a pipe or file that begins with neither JSON nor compressed or binary data. Reads nothing; waits for the first
/// byte of a pipe.
bool input_is_plain_text();

/// The lines of a text. A line feed ends a line; what follows the last one is a line unless it is empty.
std::vector<std::string_view> text_lines(std::string_view text);

}  // namespace neardup::cli
