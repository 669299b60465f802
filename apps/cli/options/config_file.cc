#include "cli/options/config_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "cli/commands/commands.h"
#include "cli/help/command_options.h"
#include "cli/options/parse.h"
#include "cli/options/suggest.h"
#include "cli/options/toml.h"
#include "cli/read_text.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"

namespace neardup::cli {
namespace {

constexpr std::string_view kInputs = "inputs";
// They choose a stored run or a page of help, so they are for one call.
constexpr std::array<std::string_view, 7> kCommandLineOnly{"config", "resume", "add", "prepare", "rethreshold", "help", "help-all"};

// The values that an option takes, by the form of its value.
struct ValueTypes {
  bool flag = false;
  bool number = false;
  bool text = false;
  bool list = false;

  [[nodiscard]] std::string expected() const {
    std::vector<std::string> names;
    if (flag) names.insert(names.end(), {"true", "false"});
    if (number) names.emplace_back("a number");
    if (text) names.emplace_back("a string");
    if (list) names.emplace_back("an array of strings");
    return either(names);
  }
};

ValueTypes types_of(const CommandOption& option) {
  constexpr std::array<std::string_view, 4> kNumbers{"N", "T", "K", "P"};
  if (option.value.empty()) return {.flag = true};
  if (std::ranges::find(kNumbers, option.value) != kNumbers.end()) return {.number = true};
  ValueTypes types{.text = true, .list = option.repeatable};
  types.number = option.value == "SIZE" || option.value.starts_with("N|");
  types.flag = option.value.starts_with("true|false");
  return types;
}

std::string_view type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

// The shortest decimal number that is the same double: 0.8 is "0.8".
std::string number_text(double value) {
  const bool whole = std::floor(value) == value && std::abs(value) < 1e15;
  return whole ? fmt::format("{}", static_cast<int64_t>(value)) : fmt::format("{}", value);
}

class ConfigFile {
 public:
  ConfigFile(const Command& command, const std::string& path) : command_(command), path_(path), options_(command_options(command)) {
    std::string text;
    try {
      text = read_text(path);
    } catch (const Error& error) {
      throw Error(ErrorCode::kUsage, fmt::format("--config: {}", error.what()));
    }
    toml::parse_result result = toml::parse(text, path);
    if (!result) {
      const toml::parse_error& error = result.error();
      throw Error(ErrorCode::kUsage, fmt::format("{}:{}: {}", path, error.source().begin.line, error.description()));
    }
    table_ = std::move(result).table();
    // By line: the order of a table is that of the names.
    for (const auto& [key, node] : table_) keys_.emplace(std::pair(key.source().begin.line, key.source().begin.column), &key);
  }

  // All keys are checked, also those that the command line replaces.
  std::vector<std::string> words(const Invocation& given) const {
    std::vector<std::string> words;
    for (const auto& [place, key] : keys_) {
      const toml::node& node = *table_.get(key->str());
      if (key->str() == kInputs) {
        static_cast<void>(strings(*key, node, {.text = true, .list = true}));
        continue;
      }
      const CommandOption& option = option_of(*key);
      const std::vector<std::string> values = checked(*key, node, option);
      if (given.has(option.name)) continue;
      for (const std::string& value : values) add(option, value, words);
    }
    return words;
  }

  [[nodiscard]] std::vector<std::string> inputs() const {
    const toml::node* const node = table_.get(kInputs);
    if (node == nullptr) return {};
    return strings(table_.find(kInputs)->first, *node, {.text = true, .list = true});
  }

 private:
  [[noreturn]] void fail(const toml::source_region& at, std::string_view problem) const {
    throw Error(ErrorCode::kUsage, fmt::format("{}:{}: {}", path_, at.begin.line, problem));
  }

  const CommandOption& option_of(const toml::key& key) const {
    std::vector<std::string> names{"--" + std::string(kInputs)};
    for (const CommandOption& option : options_) {
      const bool allowed = std::ranges::find(kCommandLineOnly, option.name) == kCommandLineOnly.end();
      if (allowed && underscored(option.name) == key.str()) return option;
      if (allowed) names.push_back("--" + option.name);
    }
    const std::string typed = "--" + dashed(key.str());
    if (std::ranges::find(kCommandLineOnly, typed.substr(2)) != kCommandLineOnly.end())
      fail(key.source(), fmt::format("'{}' is only for the command line", key.str()));
    if (table_.get(key.str())->is_table()) {
      fail(key.source(), fmt::format("'{}' is a table; options are keys outside of tables", key.str()));
    }
    const std::string meant = meant_option(typed, names);
    const std::string others = commands_with(typed);
    // As on the command line: an option of another command is not a misspelling.
    const bool of_others = !others.empty() && !meant.starts_with(typed);
    fail(key.source(), fmt::format("unknown key '{}'{}", key.str(),
                                   of_others        ? fmt::format("; it is an option of neardup {}", others)
                                   : !meant.empty() ? fmt::format("; did you mean {}?", underscored(meant.substr(2)))
                                                    : ""));
  }

  static std::string underscored(std::string name) {
    std::ranges::replace(name, '-', '_');
    return name;
  }

  // The value as the command line has it. Throws Error for another type.
  std::string text_of(const toml::key& key, const toml::node& node, const ValueTypes& types) const {
    if (types.text && node.is_string()) return node.as_string()->get();
    if (types.flag && node.is_boolean()) return node.as_boolean()->get() ? "true" : "false";
    if (types.number && node.is_integer()) return fmt::format("{}", node.as_integer()->get());
    if (types.number && node.is_floating_point()) return number_text(node.as_floating_point()->get());
    fail(node.source(), fmt::format("{}: expected {}, not {}", key.str(), types.expected(), type_name(node)));
  }

  std::vector<std::string> strings(const toml::key& key, const toml::node& node, ValueTypes types) const {
    if (!types.list || !node.is_array()) return {text_of(key, node, types)};
    std::vector<std::string> values;
    types.list = false;
    for (const toml::node& each : *node.as_array()) values.push_back(text_of(key, each, types));
    return values;
  }

  std::vector<std::string> checked(const toml::key& key, const toml::node& node, const CommandOption& option) const {
    std::vector<std::string> values = strings(key, node, types_of(option));
    if (values.empty()) return values;
    const auto rows = option_table();
    const auto row = std::ranges::find(rows, key.str(), &OptionRow::name);
    if (row == rows.end() || !takes(command_, *row)) return values;
    std::string joined;
    for (const std::string& value : values) joined += (joined.empty() ? "" : ",") + value;
    try {
      Options ignored;
      row->set(ignored, joined);
    } catch (const Error& error) {
      fail(node.source(), error.what());
    }
    return values;
  }

  static void add(const CommandOption& option, const std::string& value, std::vector<std::string>& words) {
    const std::string name = "--" + option.name;
    if (option.value.empty()) {
      if (value == "true") words.push_back(name);
    } else if (value.starts_with('-')) {  // as a word of its own it would be another option
      words.push_back(fmt::format("{}={}", name, value));
    } else {
      words.insert(words.end(), {name, value});
    }
  }

  const Command& command_;
  const std::string& path_;
  const std::vector<CommandOption> options_;
  toml::table table_;
  std::map<std::pair<uint32_t, uint32_t>, const toml::key*> keys_;
};

}  // namespace

std::vector<std::string> with_config_file(const Command& command, const std::vector<std::string>& words, const Invocation& given) {
  const std::string path = given.value("config");
  if (given.has("resume")) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--config: the run in '{}' has stored its options; leave --config out", given.value("resume")));
  }
  const ConfigFile file(command, path);
  std::vector<std::string> all = file.words(given);
  const auto end = std::ranges::find(words, "--");
  for (auto word = words.begin(); word != end; ++word) {
    if (word->starts_with("--config=")) continue;
    if (*word == "--config") {
      ++word;  // its value
      continue;
    }
    all.push_back(*word);
  }
  all.insert(all.end(), end, words.end());
  if (!given.arguments.empty()) return all;
  const std::vector<std::string> inputs = file.inputs();
  if (!inputs.empty() && end == words.end()) all.emplace_back("--");
  all.insert(all.end(), inputs.begin(), inputs.end());
  return all;
}

}  // namespace neardup::cli
