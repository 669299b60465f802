// Local options: those that all runs share, and the values of numbers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "cli/commands/command.h"

namespace neardup::cli {

/// -o and its relatives are listed by each command; these are the same for all runs.
std::vector<LocalOption> with_run_options(std::vector<LocalOption> options);

/// --config, for commands whose options a file may hold (config_file.h).
LocalOption config_option();

/// The value of a local option that is a whole number, or `otherwise`. Throws Error{kUsage} that names option, bounds and value.
uint64_t local_number(const Invocation& invocation, std::string_view name, uint64_t otherwise, uint64_t min, uint64_t max);
/// The same of a number that may have decimals and an exponent: 1e9.
double local_amount(const Invocation& invocation, std::string_view name, double otherwise, double min, double max);

/// Throws Error{kUsage} if an option of the table was given that is not one of `allowed`: `verb`, such as "idf info", ignores it.
void refuse_table_options(const Invocation& invocation, std::string_view verb, std::initializer_list<std::string_view> allowed);

}  // namespace neardup::cli
