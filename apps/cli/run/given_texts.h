// given_texts(): texts on the command line or on standard input, for commands that take them in place of documents.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/command.h"

namespace neardup::cli {

struct GivenTexts {
  std::string bytes;
  std::vector<std::string_view> texts;  ///< of `bytes`
};

/// What plain text on standard input is: one text, or one a line.
enum class PipedText { kOneText, kLines };

/// --text; all of standard input with --format text; plain text on standard input. Null: the inputs are documents. Throws Error{kUsage}
/// when there is neither, or both, or with an option that needs documents. Warns of bytes that are not of --charset.
std::unique_ptr<GivenTexts> given_texts(const Invocation& invocation, std::string_view command, PipedText piped, Reporter& reporter);

}  // namespace neardup::cli
