// Durations on the command line: "500ms", "90s", "15m", "36h", "7d".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/commands/command.h"

namespace neardup::cli {

/// The value of an option in milliseconds, or `otherwise` if it is not given. Throws Error{kUsage} that names the option and the value.
uint64_t duration_ms(const Invocation& invocation, std::string_view name, uint64_t otherwise);
/// "7 d", "36 h", "90 s", "500 ms".
std::string duration_label(uint64_t ms);

}  // namespace neardup::cli
