// The options by which tokenize and keywords change the dictionary of one run, and print lines for people.
#pragma once

#include <string_view>
#include <vector>

#include "cli/commands/command.h"
#include "neardup/tools/tokenize_all.h"

namespace neardup::cli {

/// `options`, and --plain, --separator, --user-dict, --add-word, --del-word and --suggest-freq in this group.
std::vector<LocalOption> with_word_options(std::vector<LocalOption> options, std::string_view group);

/// What these options say. Throws Error{kUsage} that names option, bound and value.
WordChanges word_changes(const Invocation& invocation);
PlainLines plain_lines(const Invocation& invocation);

/// "中/将" -> 中, 将. Throws Error{kUsage} for an empty piece; `what` names the option.
std::vector<std::string> pieces_of_word(std::string_view segment, std::string_view what);

}  // namespace neardup::cli
