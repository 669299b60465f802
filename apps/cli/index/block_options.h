// Options that the two ends of the pigeonhole principle share: neardup sketch --blocks writes rows, neardup query --from-rows reads them.
#pragma once

#include <string>
#include <string_view>

#include "cli/commands/command.h"
#include "neardup/tools/fingerprint_blocks.h"
#include "neardup/tools/fingerprint_text.h"

namespace neardup::cli {

inline constexpr std::string_view kFingerprintForms = "hex|integer|signed|bits";
/// Throws Error{kUsage} that names `option` and `value`.
FingerprintText fingerprint_text_option(std::string_view option, std::string_view value);

/// --blocks, or 4x16. Throws Error{kUsage}.
FingerprintBlocks blocks_option(const Invocation& invocation);

}  // namespace neardup::cli
