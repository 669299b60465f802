#include "cli/help/completion_words.h"

#include <algorithm>
#include <array>

#include "cli/commands/commands.h"
#include "neardup/recipe.h"

namespace neardup::cli {
namespace {

constexpr std::array<std::string_view, 11> kPaths{"FILE", "DIR", "FOLDER", "INPUT", "CORPUS", "INDEX", "LINES", "IDF", "ROWS", "A", "B"};

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

bool is_upper(char byte) {
  return byte >= 'A' && byte <= 'Z';
}

// "accurate", "64", "utf-8"; not "N", "MxW", "--list".
bool is_literal(std::string_view part) {
  return !part.empty() && part.front() != '-' && std::ranges::none_of(part, is_upper);
}

// "[INPUT...]" -> "INPUT"
std::string_view bare(std::string_view part) {
  if (part.starts_with('[')) part.remove_prefix(1);
  if (part.ends_with(']')) part.remove_suffix(1);
  if (part.ends_with("...")) part.remove_suffix(3);
  return part;
}

void add_part(std::string_view part, CompletionWords& found) {
  if (part == "PRESET") {
    for (const std::string_view name : Recipe::preset_names()) found.words.emplace_back(name);
  } else if (part == "COMMAND") {
    for (const Command* command : commands()) found.words.emplace_back(command->name);
  } else if (std::ranges::find(kPaths, part) != kPaths.end()) {
    found.paths = true;
  } else if (is_literal(part)) {
    found.words.emplace_back(part);
  }
}

// Bounds that are a list of names, as of --keep: "first, last, max:FIELD". Other bounds have blanks: "0 to 128".
void add_listed_bounds(std::string_view bounds, CompletionWords& found) {
  const std::vector<std::string_view> parts = parts_of(bounds, ", ");
  const auto has_blank = [](std::string_view part) { return part.find(' ') != std::string_view::npos; };
  if (parts.size() < 2 || std::ranges::any_of(parts, has_blank)) return;
  for (std::string_view part : parts) {
    while (!part.empty() && is_upper(part.back())) part.remove_suffix(1);
    if (part != "...") found.words.emplace_back(part);
  }
}

}  // namespace

CompletionWords value_words(const CommandOption& option) {
  CompletionWords found;
  for (const std::string_view part : parts_of(option.value, "|")) add_part(part, found);
  if (found.words.empty() && !found.paths) add_listed_bounds(option.bounds, found);
  return found;
}

CompletionWords first_words(const Command& command) {
  CompletionWords found;
  if (command.max_arguments == 0) return found;
  for (const std::string_view form : parts_of(command.usage, " | ")) {
    const std::string_view first = form.substr(0, form.find(' '));
    if (first == "[options]") continue;
    for (const std::string_view part : parts_of(bare(first), "|")) add_part(part, found);
  }
  return found;
}

bool takes_more_paths(const Command& command) {
  if (command.max_arguments < 2) return false;
  const std::vector<std::string_view> words = parts_of(command.usage, " ");
  return std::ranges::any_of(words, [](std::string_view word) {
    return std::ranges::any_of(parts_of(bare(word), "|"),
                               [](std::string_view part) { return std::ranges::find(kPaths, part) != kPaths.end(); });
  });
}

}  // namespace neardup::cli
