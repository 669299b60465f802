#include "cli/options/parse.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/help/command_options.h"
#include "cli/options/check_invocation.h"
#include "cli/options/check_words.h"
#include "cli/options/config_file.h"
#include "cli/options/suggest.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"

namespace neardup::cli {
namespace {

// The table's messages begin with "max_record_bytes: "; the user typed --max-record-bytes and must see that.
void set_row(const OptionRow& row, Options& options, const std::string& value) {
  try {
    row.set(options, value);
  } catch (const Error& error) {
    const std::string_view message = error.what();
    const std::string prefix = fmt::format("{}: ", row.name);
    if (!message.starts_with(prefix)) throw;
    throw Error(error.code(), fmt::format("--{}: {}", dashed(row.name), message.substr(prefix.size())));
  }
}

void add_row(CLI::App& app, const OptionRow& row, Invocation& invocation) {
  std::string flags = "--" + dashed(row.name);
  if (const char letter = short_name(row); letter != '\0') flags += fmt::format(",-{}", letter);
  if (row.value.empty()) {
    app.add_flag(flags,
                 [&row, &invocation](std::int64_t) {
                   set_row(row, invocation.options, "true");
                   invocation.given[dashed(row.name)] = {"true"};
                 })
        ->disable_flag_override();
    return;
  }
  CLI::Option* option = app.add_option(flags, [&row, &invocation](const CLI::results_t& values) {
    set_row(row, invocation.options, fmt::format("{}", fmt::join(values, ",")));
    invocation.given[dashed(row.name)] = values;
    return true;
  });
  option->type_name(std::string(row.value));
  // A list may be given in one option or in several.
  if (row.value.ends_with("...]")) option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_local(CLI::App& app, const LocalOption& local, Invocation& invocation) {
  const std::string name(local.name());
  if (local.value.empty()) {
    app.add_flag(std::string(local.flags), [name, &invocation](std::int64_t) { invocation.given[name] = {"true"}; })
        ->disable_flag_override();
    return;
  }
  CLI::Option* option = app.add_option(std::string(local.flags), [name, &invocation](const CLI::results_t& values) {
    invocation.given[name] = values;
    return true;
  });
  option->type_name(std::string(local.value));
  if (local.repeatable) option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names;
  for (const CommandOption& option : command_options(command)) names.push_back("--" + option.name);
  return names;
}

[[noreturn]] void fail_unknown(const Command& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const std::string meant = meant_option(name, option_names(command));
  const std::string others = commands_with(name);
  // An option of another command is not a misspelling, even if this command has one that looks like it.
  const std::string advice = !others.empty() && !meant.starts_with(name) ? fmt::format("; it is an option of neardup {}", others)
                             : meant.empty()                             ? ""
                                                                         : fmt::format("; did you mean {}?", meant);
  throw Error(ErrorCode::kUsage, fmt::format("unknown option {}{}", name, advice));
}

// "--output: At Most 1 required but received 2", "--summary: 1 required FILE missing": what CLI11 says of them.
std::string explained(const CLI::ParseError& error) {
  std::string message = error.what();
  if (const size_t end = message.find(" was given a disallowed flag override"); end != std::string::npos) {
    return fmt::format("{}{} takes no value", end == 1 ? "-" : "--", message.substr(0, end));
  }
  const std::string name = message.substr(0, message.find(": "));
  if (!name.starts_with('-') || dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return message;
  if (message.find("At Most") != std::string::npos) return fmt::format("{} may be given only once", name);
  constexpr std::string_view kMissing = "1 required ";
  const size_t value = message.find(kMissing);
  const size_t end = message.rfind(" missing");
  if (value == std::string::npos || end == std::string::npos) return message;
  return fmt::format("{} needs a value: {}", name, message.substr(value + kMissing.size(), end - value - kMissing.size()));
}

// A command without inputs reads standard input if there is data.
bool may_read_pipe(const Command& command, const Invocation& invocation) {
  const bool lacks_input =
      (command.reads_pipe && invocation.arguments.empty()) || (command.lacks_input != nullptr && command.lacks_input(invocation));
  return lacks_input && !invocation.has("resume") && !invocation.has("text") && !names_standard_input(invocation);
}

void check_arguments(const Command& command, const Invocation& invocation) {
  const size_t count = invocation.arguments.size();
  if (count < command.min_arguments) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} missing: neardup {} {}", count == 0 ? "arguments are" : "an argument is", command.name, command.usage));
  }
  if (count > command.max_arguments) {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' is one argument too many: neardup {} {}", invocation.arguments[command.max_arguments],
                                               command.name, command.usage));
  }
}

// A command line without a configuration file. Does not check the number of arguments.
Invocation parse_words(const Command& command, std::vector<std::string> words) {
  Invocation invocation;
  invocation.words = words;
  CLI::App app;
  app.set_help_all_flag("--help-all");
  app.allow_extras();  // so that all unknown options can be looked at
  for (const LocalOption& local : command.options) add_local(app, local, invocation);
  for (const OptionRow& row : option_table()) {
    if (takes(command, row)) add_row(app, row, invocation);
  }
  // After "--" every word is an argument.
  const auto end = std::ranges::find(words, "--");
  const std::vector<std::string> plain(end == words.end() ? end : end + 1, words.end());
  words.erase(end, words.end());
  try {
    std::ranges::reverse(words);  // CLI11 takes them from the back
    app.parse(std::move(words));
  } catch (const CLI::CallForAllHelp&) {
    invocation.help = HelpPage::kAll;
    return invocation;
  } catch (const CLI::CallForHelp&) {
    invocation.help = HelpPage::kEssential;
    return invocation;
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorCode::kUsage, explained(error));
  }
  for (std::string& word : app.remaining()) {
    if (word.size() > 1 && word.front() == '-') fail_unknown(command, word);
    invocation.arguments.push_back(std::move(word));
  }
  invocation.arguments.insert(invocation.arguments.end(), plain.begin(), plain.end());
  return invocation;
}

}  // namespace

std::string commands_with(const std::string& option) {
  std::vector<std::string> names;
  for (const Command* command : commands()) {
    const std::vector<std::string> options = option_names(*command);
    if (std::ranges::find(options, option) != options.end()) names.emplace_back(command->name);
  }
  return either(names);
}

char short_name(const OptionRow& row) noexcept {
  if (row.name == "threshold") return 't';
  if (row.name == "threads") return 'j';
  return '\0';
}

std::string with_dashes(const Command& command, const std::string& message) {
  const std::string name = dashed(message.substr(0, message.find(": ")));
  const bool known = std::ranges::any_of(command_options(command), [&](const CommandOption& option) { return option.name == name; });
  return known ? fmt::format("--{}{}", name, message.substr(name.size())) : message;
}

Invocation parse_command(const Command& command, const std::vector<std::string>& words) {
  check_words(command, words);
  Invocation invocation = parse_words(command, words);
  if (invocation.help != HelpPage::kNone) return invocation;
  if (invocation.has("config")) invocation = parse_words(command, with_config_file(command, words, invocation));
  if (!may_read_pipe(command, invocation)) check_arguments(command, invocation);
  return invocation;
}

void add_piped_input(const Command& command, Invocation& invocation) {
  if (!may_read_pipe(command, invocation)) return;
  if (input_is_piped()) invocation.arguments.emplace_back("-");
  check_arguments(command, invocation);
}

}  // namespace neardup::cli
