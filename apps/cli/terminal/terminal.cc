#include "cli/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace neardup::cli {

bool can_redraw(int stream) {
  const char* term = std::getenv("TERM");
  return isatty(stream) == 1 && (term == nullptr || std::string_view(term) != "dumb");
}

bool can_color(int stream) {
  const char* no_color = std::getenv("NO_COLOR");
  return can_redraw(stream) && (no_color == nullptr || *no_color == '\0');
}

size_t terminal_width(int stream) {
  winsize size{};
  return ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace neardup::cli
