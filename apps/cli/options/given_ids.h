// given_ids(): the ids that a command is to delete, as arguments or in the file of --ids.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/command.h"

namespace neardup::cli {

/// Each once, in the order in which they were given. `usage`: of the command, for the message. Throws Error{kUsage} without one.
std::vector<std::string> given_ids(const Invocation& invocation, const std::vector<std::string>& arguments, std::string_view usage);

}  // namespace neardup::cli
