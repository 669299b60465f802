// The help: an overview, a page for each command, and docs/options.md. All generated from Command and the option table.
#pragma once

#include <string>

#include "cli/commands/command.h"

namespace neardup::cli {

std::string overview();
std::string command_help(const Command& command);
std::string options_markdown();

}  // namespace neardup::cli
