#include "cli/run/stored_run.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <filesystem>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

#include "cli/options/parse.h"
#include "cli/terminal/text_format.h"
#include "neardup/dedup.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/run_command.h"

namespace neardup::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::string_view kCommandFile = "COMMAND";
constexpr std::string_view kLockFile = "LOCK";
constexpr uint32_t kFormat = 2;

// Options that a resumed run may change: they do not affect the outputs.
constexpr std::array<std::string_view, 15> kFree{"threads",     "memory",      "temp-dir",   "strict",   "max-rejects",
                                                 "max-removed", "max-cluster", "log-format", "progress", "quiet",
                                                 "verbose",     "metrics",     "replace",    "resume",   "add"};

// Options of outputs, which --rethreshold gives anew.
constexpr std::array<std::string_view, 13> kOfOutputs{"output", "report", "removed", "verdicts", "annotate", "output-dir", "delete-removed",
                                                      "fields", "append", "rejects", "summary",  "dry-run",  "rethreshold"};

std::string command_path(const std::string& directory) {
  return directory + "/" + std::string(kCommandFile);
}

// Ignores the files of a program that was killed before it began.
bool is_unused(const std::string& directory, std::error_code& error) {
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().native();
    if (name != kLockFile && !name.starts_with(fmt::format(".{}.", kCommandFile))) return false;
  }
  return !error;
}

// For messages: a URI may hold a password.
std::string shown(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ",") + shown_output(value);
  return text;
}

json::array to_json(const std::vector<std::string>& words) {
  json::array array;
  for (const std::string& word : words) array.emplace_back(word);
  return array;
}

}  // namespace

void store_command(const std::string& directory, const StoredCommand& command) {
  json::array added;
  for (const auto& inputs : command.added) added.push_back(to_json(inputs));
  const std::string text = json::serialize(json::object{
      {"format", kFormat}, {"words", to_json(command.words)}, {"added", std::move(added)}, {"current_folder", command.current_folder}});
  const mode_t mask = ::umask(S_IRWXG | S_IRWXO);
  try {
    store_run_command(directory, text);
  } catch (...) {
    ::umask(mask);
    throw;
  }
  ::umask(mask);
}

std::shared_ptr<const void> create_checkpoint_directory(const std::string& directory, const StoredCommand& command) {
  std::error_code error;
  const auto refuse_run = [&] {
    if (!has_run_command(directory)) return;
    throw Error(ErrorCode::kUsage, fmt::format("--work: there is a run in '{}'; resume it: {}", directory, resume_line(directory)));
  };
  refuse_run();
  fs::create_directories(directory, error);
  if (error) throw Error(ErrorCode::kOutput, fmt::format("cannot make the folder '{}': {}", directory, error.message()));
  const bool unused = is_unused(directory, error);
  if (error) throw Error(ErrorCode::kOutput, fmt::format("cannot read the folder '{}': {}", directory, error.message()));
  if (!unused) throw Error(ErrorCode::kUsage, fmt::format("--work: '{}' is not an empty folder", directory));
  std::shared_ptr<const void> hold = hold_checkpoint_directory(directory);
  refuse_run();  // that another process began meanwhile
  remove_partial_outputs(command_path(directory));
  store_command(directory, command);
  return hold;
}

StoredCommand stored_command(const std::string& directory) {
  const std::optional<std::string> text = load_run_command(directory);
  if (!text) throw Error(ErrorCode::kUsage, fmt::format("there is no run in '{}': it has no file {}", directory, kCommandFile));
  StoredCommand command;
  try {
    const json::value value = json::parse(*text);
    const json::object& object = value.as_object();
    if (object.at("format") != kFormat) throw std::invalid_argument("format");
    command.words = json::value_to<std::vector<std::string>>(object.at("words"));
    command.added = json::value_to<std::vector<std::vector<std::string>>>(object.at("added"));
    command.current_folder = json::value_to<std::string>(object.at("current_folder"));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    throw Error(ErrorCode::kInput, fmt::format("'{}' does not hold a command", command_path(directory)));
  }
  return command;
}

StoredCommand load_command(const std::string& directory) {
  StoredCommand command = stored_command(directory);
  if (const std::string here = fs::current_path().native(); here != command.current_folder) {
    throw Error(ErrorCode::kUsage, fmt::format("the run in '{}' began in the folder '{}', and its paths start there; this is '{}'",
                                               directory, command.current_folder, here));
  }
  return command;
}

Invocation rethresholded_run(const Command& command, const StoredCommand& stored, const Invocation& now, const std::string& directory) {
  Invocation others = now;
  for (const std::string_view name : kOfOutputs) others.given.erase(std::string(name));
  Invocation run = resumed(command, stored, others, directory);
  run.given.erase("replace");
  for (const std::string_view name : kOfOutputs) run.given.erase(std::string(name));
  for (const auto& [name, values] : now.given) {
    if (name == "replace" || std::ranges::find(kOfOutputs, name) != kOfOutputs.end()) run.given[name] = values;
  }
  return run;
}

Invocation resumed(const Command& command, const StoredCommand& stored, const Invocation& now, const std::string& directory) {
  Invocation run = parse_command(command, stored.words);
  for (const auto& [name, values] : now.given) {
    if (std::ranges::find(kFree, name) != kFree.end()) {
      run.given[name] = values;
      continue;
    }
    if (run.values(name) == values) continue;
    throw Error(ErrorCode::kUsage,
                fmt::format("--{}: the run in '{}' {}, and cannot continue with '{}'", name, directory,
                            run.has(name) ? fmt::format("began with '{}'", shown(run.values(name))) : "began without it", shown(values)));
  }
  run.options.threads = now.has("threads") ? now.options.threads : run.options.threads;
  run.options.memory = now.has("memory") ? now.options.memory : run.options.memory;
  run.options.temp_dir = now.has("temp-dir") ? now.options.temp_dir : run.options.temp_dir;
  run.options.max_rejects = now.has("max-rejects") ? now.options.max_rejects : run.options.max_rejects;
  run.options.max_removed = now.has("max-removed") ? now.options.max_removed : run.options.max_removed;
  run.options.max_cluster = now.has("max-cluster") ? now.options.max_cluster : run.options.max_cluster;
  run.options.strict = run.options.strict || now.options.strict;
  return run;
}

std::string resume_line(const std::string& directory) {
  return "neardup dedup --resume " + shell_word(directory);
}

}  // namespace neardup::cli
