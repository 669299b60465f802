// The help: an overview, a page for each command, and docs/options.md. All generated from Command and the option table.
#pragma once

#include <string>
#include <string_view>

#include "cli/commands/command.h"

namespace neardup::cli {

std::string overview();
/// The essential options or all, which are in groups.
std::string command_help(const Command& command, HelpPage page);
/// What INPUT may be; empty if the command reads no documents.
std::string_view input_kinds(const Command& command);
std::string options_markdown();

}  // namespace neardup::cli
