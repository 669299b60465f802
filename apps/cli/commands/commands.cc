#include "cli/commands/commands.h"

#include <algorithm>
#include <array>

namespace neardup::cli {

std::span<const Command* const> commands() {
  static const std::array all{&dedup_command(),      &pairs_command(),    &quotes_command(),   &compare_command(),  &explain_command(),
                              &report_command(),     &tune_command(),     &evaluate_command(), &generate_command(), &sketch_command(),
                              &index_command(),      &query_command(),    &store_command(),    &serve_command(),    &search_command(),
                              &plan_command(),       &task_command(),     &recipe_command(),   &clean_command(),    &lines_command(),
                              &tokenize_command(),   &keywords_command(), &idf_command(),      &dict_command(),     &doctor_command(),
                              &completion_command(), &help_command()};
  return all;
}

const Command* find_command(std::string_view name) {
  const auto all = commands();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Command* command) { return command->name == name; });
  return found == all.end() ? nullptr : *found;
}

bool takes(const Command& command, const OptionRow& row) {
  for (size_t at = 0; at < row.commands.size();) {
    const size_t end = std::min(row.commands.find(' ', at), row.commands.size());
    if (row.commands.substr(at, end - at) == command.name) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace neardup::cli
