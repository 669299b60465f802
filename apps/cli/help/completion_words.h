// What may follow on a command line, for completions: read off the form of an option's value ("lsh|exact|hamming", "PRESET|FILE", "N") and
// the usage line of a command ("build|add INDEX INPUT... | delete INDEX ID...").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/help/command_options.h"

namespace neardup::cli {

struct CompletionWords {
  std::vector<std::string> words;  ///< literal values; one that ends in ':' is a beginning, such as "max:" of "max:FIELD"
  bool paths = false;              ///< files and folders, too
};
/// Of an option that has a value.
CompletionWords value_words(const CommandOption& option);
/// Of the first argument of a command.
CompletionWords first_words(const Command& command);
/// True if arguments after the first one may be files or folders.
bool takes_more_paths(const Command& command);

}  // namespace neardup::cli
