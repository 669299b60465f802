// parse_command: the words of a command line into an Invocation, by the option table and the command's own options.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/command.h"

namespace neardup::cli {

/// `words` are those after the command's name. Reads the file of --config, whose options are then among Invocation::words. Throws
/// Error{kUsage}, with a suggestion for an unknown option, unless they ask for help.
Invocation parse_command(const Command& command, const std::vector<std::string>& words);

/// Uses standard input instead of missing inputs, for commands that read it, if data are piped; waits for the first byte. Throws
/// Error{kUsage} if arguments are still missing.
void add_piped_input(const Command& command, Invocation& invocation);

/// The message of an error with the option that it begins with as it is typed: "max_distance: 9 is..." begins with --max-distance.
std::string with_dashes(const Command& command, const std::string& message);

/// "dedup, pairs or plan": the commands that have an option, such as "--threshold"; empty: none.
std::string commands_with(const std::string& option);

/// The one-letter name of an option of the table, or '\0'.
char short_name(const OptionRow& row) noexcept;

}  // namespace neardup::cli
