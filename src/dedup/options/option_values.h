// Option values: text into numbers, choices and lists, with the bounds in the message.
//
// Every parser throws Error{kUsage} "NAME: VALUE is ...; expected ...". The name is the option's, as in the table.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/options.h"
#include "neardup/tools/threshold.h"

namespace neardup {

/// Digits, or digits with an exponent that makes a whole number of them: 1000, 1e3.
uint64_t parse_number(std::string_view option, std::string_view text, uint64_t min, uint64_t max);
/// "true" or "false".
bool parse_flag(std::string_view option, std::string_view text);
/// Threshold::parse with the option's name before the message, and an example after it.
Threshold parse_fraction(std::string_view option, std::string_view text, std::string_view example);
/// "60%", as parse_percent() of base/percent.h; may be 0.
Threshold parse_share(std::string_view option, std::string_view text);
/// Comma-separated, no part empty.
std::vector<std::string> parse_list(std::string_view option, std::string_view text);
/// FIELD=VALUE, or several separated by commas; fields are names without [*].
std::vector<FieldValue> parse_field_values(std::string_view option, std::string_view text);
/// The index of `text` in `names`.
size_t parse_choice(std::string_view option, std::string_view text, std::initializer_list<std::string_view> names);

/// The inverse of parse_fraction: "0.8", "1", "0.002".
std::string format_fraction(Threshold threshold);

}  // namespace neardup
