// check_words: mistakes in the words of a command line that a parser takes for values: a long option after one dash (-output is not -o
// utput), an option in the place of a value, '=' after a short option, an empty name of a file.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/command.h"

namespace neardup::cli {

/// Throws Error(kUsage) for the first of these mistakes. `words` are those after the name of the command.
void check_words(const Command& command, const std::vector<std::string>& words);

}  // namespace neardup::cli
