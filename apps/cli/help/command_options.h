// The options of a command as data, in the order of its help: its own, then those of the option table, then help. Help pages, manual pages
// and completions are made of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/command.h"

namespace neardup::cli {

struct CommandOption {
  char letter = '\0';        ///< 't' of -t; '\0': none
  std::string name;          ///< "threshold"
  std::string_view value{};  ///< the form of the value, "" for a flag
  std::string_view bounds{};
  std::string_view group{};
  std::string_view help{};
  std::string text;  ///< the help with bounds and default
  bool repeatable = false;
  bool essential = false;
};

CommandOption describe(const LocalOption& option);
CommandOption describe(const OptionRow& row);
std::vector<CommandOption> command_options(const Command& command);

}  // namespace neardup::cli
