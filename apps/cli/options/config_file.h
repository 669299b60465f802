// config_file: the options of a run in a TOML file (--config FILE), as words of a command line.
//
// A key is the long name of an option with underscores, as in the option table; `inputs` are the arguments. The command line wins: a key
// whose option it has is left out, with all values. So a run stores, and can be resumed with, the same words as without the file.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/command.h"

namespace neardup::cli {

/// `words` without --config, and with an option for each key of its file. `given`: `words`, parsed; it has --config. Throws Error{kUsage}
/// that names file, line and key for a key that is unknown, or whose value has the wrong type or is out of bounds.
std::vector<std::string> with_config_file(const Command& command, const std::vector<std::string>& words, const Invocation& given);

}  // namespace neardup::cli
