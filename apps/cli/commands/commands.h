// The list of commands, in the order of the overview, and the functions that make them.
//
// Each command is in NAME_command.cc, a family of small ones in one file (text_commands.cc). These sources have no header: it would declare
// only the function that is declared here.
#pragma once

#include <span>
#include <string_view>

#include "cli/commands/command.h"

namespace neardup::cli {

/// In the order of the overview.
std::span<const Command* const> commands();
/// Null if no command has this name.
const Command* find_command(std::string_view name);
/// True if the command takes the option of this row.
bool takes(const Command& command, const OptionRow& row);

const Command& dedup_command();
const Command& pairs_command();
const Command& quotes_command();
const Command& compare_command();
const Command& explain_command();
const Command& report_command();
const Command& tune_command();
const Command& evaluate_command();
const Command& sketch_command();
const Command& index_command();
const Command& query_command();
const Command& store_command();
const Command& serve_command();
const Command& search_command();
const Command& generate_command();
const Command& plan_command();
const Command& task_command();
const Command& clean_command();
const Command& lines_command();
const Command& idf_command();
const Command& recipe_command();
const Command& tokenize_command();
const Command& keywords_command();
const Command& dict_command();
const Command& doctor_command();
const Command& completion_command();
const Command& help_command();

}  // namespace neardup::cli
