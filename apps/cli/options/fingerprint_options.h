// Fingerprints on the command line: the form of their digits, the blocks of neardup sketch --blocks and neardup query --from-rows, and
// texts given for their fingerprint.
#pragma once

#include <string>
#include <string_view>

#include "cli/commands/command.h"
#include "neardup/fingerprint.h"
#include "neardup/recipe.h"
#include "neardup/tools/fingerprint_blocks.h"
#include "neardup/tools/fingerprint_text.h"

namespace neardup::cli {

inline constexpr std::string_view kFingerprintForms = "hex|integer|signed|bits";
/// Throws Error{kUsage} that names `option` and `value`.
FingerprintText fingerprint_text_option(std::string_view option, std::string_view value);

/// --blocks, or 4x16. Throws Error{kUsage}.
FingerprintBlocks blocks_option(const Invocation& invocation);

/// The fingerprint of a text that the user gave. `name` is the name of the text in errors. Throws Error{kInput} when it is too short for a
/// fingerprint.
Fingerprint128 fingerprint_of(const std::string& text, const std::string& name, const Recipe& recipe);

}  // namespace neardup::cli
