// What a terminal can do that an output stream is connected to.
//
// Read anew at each call: a window can be resized while the program runs.
#pragma once

#include <cstddef>

namespace neardup::cli {

/// True if `stream` (a file descriptor) is a terminal on which a line can be drawn again: TERM is not "dumb".
bool can_redraw(int stream);
/// True if colors may be written to `stream`: it can redraw, and NO_COLOR is not set or empty.
bool can_color(int stream);
/// Columns of the terminal; 80 if they are unknown.
size_t terminal_width(int stream);

}  // namespace neardup::cli
