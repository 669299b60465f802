// parse_sweep(): --sweep into the settings that are judged: every combination of the given values.
//
//   "threshold=0.5:0.95:0.05; recipe=words-5,chars-5"
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/options.h"

namespace neardup::cli {

/// Names as in the option table, and values as text.
using Setting = std::vector<std::pair<std::string, std::string>>;

inline constexpr size_t kMaxSettings = 1000;

/// In the order of the values, the last name varying fastest. Only options of the groups "Which texts match" and "Which documents are kept"
/// that `command` takes. Throws Error{kUsage} that names the part.
std::vector<Setting> parse_sweep(std::string_view text, std::string_view command);

/// The options with the values of the setting. Throws Error{kUsage} as the option table does.
Options with_setting(Options options, const Setting& setting);

/// "threshold 0.8, recipe chars-5"
std::string setting_label(const Setting& setting);

}  // namespace neardup::cli
