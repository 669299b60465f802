#include "cli/help/command_options.h"

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/options/parse.h"
#include "cli/terminal/text_format.h"

namespace neardup::cli {
namespace {

// The default that the help shows. A query has the recipe and the distance of its index, and an index needs a fingerprint recipe.
std::string_view shown_default(const Command& command, const OptionRow& row) {
  if (command.name == "index" && row.name == "recipe") return {};
  if (command.name == "query" && (row.name == "recipe" || row.name == "max_distance")) return "that of the index";
  return row.preset;
}

std::string with_bounds(const OptionRow& row, std::string_view preset) {
  std::string text(row.help);
  if (row.value.empty()) return text;
  // What the value looks like often says the bounds already.
  std::string shown(row.value);
  for (size_t at = 0; (at = shown.find('|', at)) != std::string::npos;) shown.replace(at, 1, ", ");
  if (!row.bounds.empty() && shown != row.bounds) text += fmt::format(" ({})", row.bounds);
  if (!preset.empty()) text += fmt::format(" [{}]", preset);
  return text;
}

}  // namespace

CommandOption describe(const LocalOption& option) {
  return {.letter = option.flags.starts_with("--") ? '\0' : option.flags[1],
          .name = std::string(option.name()),
          .value = option.value,
          .group = option.group,
          .help = option.help,
          .text = fmt::format("{}{}", option.help, option.repeatable ? "; may be repeated" : ""),
          .repeatable = option.repeatable,
          .essential = option.essential};
}

CommandOption describe(const OptionRow& row) {
  return {.letter = short_name(row),
          .name = dashed(row.name),
          .value = row.value,
          .bounds = row.bounds,
          .group = row.group,
          .help = row.help,
          .text = with_bounds(row, row.preset),
          .repeatable = row.value.ends_with("...]"),
          .essential = row.essential};
}

std::vector<CommandOption> command_options(const Command& command) {
  std::vector<CommandOption> options;
  options.reserve(command.options.size() + option_table().size() + 2);
  for (const LocalOption& option : command.options) options.push_back(describe(option));
  for (const OptionRow& row : option_table()) {
    if (!takes(command, row)) continue;
    options.push_back(describe(row));
    options.back().text = with_bounds(row, shown_default(command, row));
  }
  options.push_back(describe(essential({"-h,--help", "", "Help", "the most important options, and examples"})));
  options.push_back(describe(essential({"--help-all", "", "Help", "all options"})));
  return options;
}

}  // namespace neardup::cli
