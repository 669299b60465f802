#include "cli/options/check_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/help/command_options.h"
#include "neardup/error.h"

namespace neardup::cli {
namespace {

const CommandOption* named(const std::vector<CommandOption>& options, std::string_view name) {
  const auto found = std::ranges::find(options, name, &CommandOption::name);
  return found == options.end() ? nullptr : &*found;
}

const CommandOption* lettered(const std::vector<CommandOption>& options, char letter) {
  const auto found = std::ranges::find(options, letter, &CommandOption::letter);
  return letter == '\0' || found == options.end() ? nullptr : &*found;
}

std::string_view before_equals(std::string_view word) {
  return word.substr(0, word.find('='));
}

// The option that a word is, without a value of its own: "--output", "-o".
const CommandOption* option_of(const std::vector<CommandOption>& options, std::string_view word) {
  if (word.starts_with("--")) return named(options, word.substr(2));
  return word.size() == 2 && word[0] == '-' ? lettered(options, word[1]) : nullptr;
}

// A word like "-output" or "-o=x", which would be the option -o with the value "utput" or "=x".
void check_one_dash(const std::vector<CommandOption>& options, std::string_view word) {
  if (word.size() < 3 || word[0] != '-' || word[1] == '-') return;
  const std::string_view name = before_equals(word.substr(1));
  if (named(options, name) != nullptr) throw Error(ErrorCode::kUsage, fmt::format("unknown option -{0}; did you mean --{0}?", name));
  const CommandOption* option = lettered(options, word[1]);
  if (option == nullptr || word[2] != '=') return;
  throw Error(ErrorCode::kUsage, option->value.empty() ? fmt::format("-{} takes no value", word[1])
                                                       : fmt::format("-{0} takes its value without '=': write -{0} {1} or --{2}={1}",
                                                                     word[1], option->value, option->name));
}

// Only of the command's own options: in the option table, an empty value is the default.
bool must_name_a_file(const Command& command, std::string_view name) {
  constexpr std::array<std::string_view, 6> kForms{"FILE", "DIR", "FOLDER", "IDF", "LINES", "CORPUS|INDEX"};
  return std::ranges::any_of(command.options, [&](const LocalOption& option) {
    return option.name() == name && std::ranges::find(kForms, option.value) != kForms.end();
  });
}

}  // namespace

void check_words(const Command& command, const std::vector<std::string>& words) {
  const std::vector<CommandOption> options = command_options(command);
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string_view word = words[i];
    check_one_dash(options, word);
    const CommandOption* option = option_of(options, word);
    if (option == nullptr || option->value.empty() || i + 1 == words.size()) continue;
    const std::string_view value = words[++i];
    if (value.empty() && must_name_a_file(command, option->name)) {
      throw Error(ErrorCode::kUsage, fmt::format("--{}: expected the name of a file or folder, not ''", option->name));
    }
    // A text to look at may begin with dashes.
    if (option->value == "TEXT" || option_of(options, before_equals(value)) == nullptr) continue;
    throw Error(ErrorCode::kUsage,
                fmt::format("--{} needs a value: {}, but '{}' after it is an option", option->name, option->value, before_equals(value)));
  }
}

}  // namespace neardup::cli
