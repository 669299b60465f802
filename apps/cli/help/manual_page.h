// Manual pages in the macros of man(7): neardup(1), and one for each command. Made from Command and its options, without a date, so that
// equal programs make equal pages. They are ASCII: other characters are escapes, which groff and mandoc show in any locale that has them.
#pragma once

#include <string>

#include "cli/commands/command.h"

namespace neardup::cli {

/// neardup(1)
std::string manual_page();
/// neardup-COMMAND(1)
std::string manual_page(const Command& command);

}  // namespace neardup::cli
