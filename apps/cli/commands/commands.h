// The commands, one file each: NAME_command.cc.
#pragma once

#include "cli/commands/command.h"

namespace neardup::cli {

const Command& dedup_command();
const Command& pairs_command();
const Command& compare_command();
const Command& sketch_command();
const Command& index_command();
const Command& query_command();
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
const Command& help_command();

}  // namespace neardup::cli
