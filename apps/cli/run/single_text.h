// single_text(): the text of a command that takes one text in place of documents.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/commands/command.h"

namespace neardup::cli {

/// --text, or all of standard input (--format text -); nothing if the inputs are documents. Throws Error{kUsage} when there is neither, or
/// both, or with an option that needs documents.
std::optional<std::string> single_text(const Invocation& invocation, std::string_view command);

}  // namespace neardup::cli
