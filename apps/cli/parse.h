// parse_command: the words of a command line into an Invocation, by the option table and the command's own options.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.h"

namespace neardup::cli {

/// Nothing when help was asked for. `words` are those after the command's name. Throws Error{kUsage}, with a suggestion for an unknown
/// option.
std::optional<Invocation> parse_command(const Command& command, std::vector<std::string> words);

/// The one-letter name of an option of the table, or '\0'.
char short_name(const OptionRow& row) noexcept;

}  // namespace neardup::cli
