#include "cli/options/check_invocation.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "cli/interrupt.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/machine.h"
#include "neardup/tools/secrets.h"

namespace neardup::cli {
namespace {

constexpr int kPollMs = 100;

bool is_standard_input(std::string_view name) {
  constexpr std::array<std::string_view, 4> kNames{"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"};
  return std::ranges::find(kNames, name) != kNames.end();
}

// The parts of the command line that read it: "INPUT", "--against".
std::vector<std::string> uses_of_standard_input(const Invocation& invocation) {
  std::vector<std::string> uses;
  for (const std::string& argument : invocation.arguments) {
    if (is_standard_input(argument)) uses.emplace_back("INPUT");
  }
  for (const std::string_view option : {"against", "file", "ids"}) {
    for (const std::string& value : invocation.values(option)) {
      if (is_standard_input(value)) uses.push_back(fmt::format("--{}", option));
    }
  }
  return uses;
}

void check_standard_input(const Invocation& invocation) {
  const std::vector<std::string> uses = uses_of_standard_input(invocation);
  if (uses.size() < 2) return;
  throw Error(ErrorCode::kUsage, uses[0] == uses[1]
                                     ? fmt::format("standard input is given twice ({})", uses[0])
                                     : fmt::format("standard input can be read only once: it is given as {} and as {}", uses[0], uses[1]));
}

bool lists(std::string_view endings, std::string_view ending) {
  for (size_t at = 0; at < endings.size();) {
    const size_t end = std::min(endings.find(' ', at), endings.size());
    if (endings.substr(at, end - at) == ending) return true;
    at = end + 1;
  }
  return false;
}

void check_endings(const Command& command, const Invocation& invocation) {
  for (const LocalOption& option : command.options) {
    const std::string_view name = option.name();
    if (option.endings.empty()) continue;
    for (const std::string& file : invocation.values(name)) {
      const std::string ending = format_ending(file);
      if (ending.empty() || lists(option.endings, ending)) continue;
      std::string known(option.endings);
      for (size_t at = 0; (at = known.find(' ', at)) != std::string::npos; at += 2) known.replace(at, 1, ", ");
      // The "ending" of a broken URI may be a part of its password.
      if (!has_safe_form(file)) {
        throw Error(ErrorCode::kUsage, fmt::format("--{}: '{}' is not the name of a file; its ending selects the format: {}, or none", name,
                                                   without_secrets(file), known));
      }
      throw Error(ErrorCode::kUsage,
                  fmt::format("--{}: this command does not write '{}' files ('{}'); the ending of the name selects the format: {}, or none",
                              name, ending, file, known));
    }
  }
}

void check_machine(const Command& command, const Invocation& invocation, Reporter& reporter) {
  if (invocation.has("temp-dir") && command.name != "doctor") {
    const std::string& folder = invocation.options.temp_dir;
    struct stat status {};
    if (::stat(folder.c_str(), &status) == 0 && !S_ISDIR(status.st_mode)) {
      throw Error(ErrorCode::kUsage, fmt::format("--temp-dir: '{}' is not a folder", folder));
    }
    if (const std::string problem = temp_dir_problem(folder); !problem.empty()) {
      // Another folder would help; with a full or failing disk that is uncertain.
      const bool unusable = ::access(folder.c_str(), W_OK | X_OK) != 0;
      throw Error(unusable ? ErrorCode::kUsage : ErrorCode::kOutput, fmt::format("--temp-dir: {}", problem));
    }
  }
  const uint64_t machine = machine_memory_bytes();
  if (invocation.has("memory") && machine > 0 && invocation.options.memory > machine) {
    reporter.warning(fmt::format("--memory: {} is more than the {} of this machine", format_bytes_exactly(invocation.options.memory),
                                 data_size(machine)));
  }
}

bool is_table_name(std::string_view output) {
  const std::string ending = format_ending(output);
  return ending == ".csv" || ending == ".tsv" || ending == ".parquet";
}

}  // namespace

void check_invocation(const Command& command, const Invocation& invocation, Reporter& reporter) {
  check_endings(command, invocation);
  check_standard_input(invocation);
  check_machine(command, invocation, reporter);
}

void check_database_options(const Invocation& invocation) {
  std::vector<std::string> inputs = invocation.arguments;
  for (const std::string& against : invocation.values("against")) inputs.push_back(against);
  const bool reads = std::ranges::any_of(inputs, is_uri);
  constexpr std::string_view kOutputs[] = {"output", "removed", "verdicts", "annotate"};
  const bool writes = std::ranges::any_of(kOutputs, [&](std::string_view name) { return is_uri(invocation.value(name)); });
  if (!invocation.options.where.empty() && !reads) {
    throw Error(ErrorCode::kUsage, "--where selects rows of a database, and no input is one");
  }
  if (!invocation.options.key.empty() && !reads && !writes) {
    throw Error(ErrorCode::kUsage, "--key names the key of a table in a database, and neither an input nor an output is one");
  }
  for (const std::string_view name : {"append", "replace"}) {
    if (!invocation.has(name) || writes || invocation.has("dry-run")) continue;
    throw Error(ErrorCode::kUsage, fmt::format("--{} requires an output table or collection; files are always replaced", name));
  }
}

void check_effects(const Invocation& invocation, const RunPlan* plan, const InputKinds& kinds) {
  check_effects(invocation, RunFacts{.plan = plan, .inputs = kinds});
}

void check_effects(const Invocation& invocation, RunFacts facts) {
  for (const std::string_view output : {"output", "removed", "verdicts", "annotate"}) {
    if (!invocation.has(output)) continue;
    facts.writes_databases = facts.writes_databases || is_uri(invocation.value(output));
    facts.writes_tables = facts.writes_tables || is_table_name(invocation.value(output));
  }
  facts.writes_tables = facts.writes_tables || invocation.has("output-dir");  // whose files are of the kinds of the inputs
  for (const OptionRow& row : option_table()) {
    if (!invocation.has(dashed(row.name))) continue;
    const std::string why = why_idle(row.name, invocation.options, facts);
    if (!why.empty()) throw Error(ErrorCode::kUsage, fmt::format("--{} has no effect here: {}", dashed(row.name), why));
  }
}

bool input_is_piped() {
  struct stat status {};
  if (::fstat(STDIN_FILENO, &status) != 0) return false;
  if (S_ISREG(status.st_mode)) return ::lseek(STDIN_FILENO, 0, SEEK_CUR) < status.st_size;
  if (!S_ISFIFO(status.st_mode)) return false;
  pollfd pipe{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  while (!interrupted()) {
    if (::poll(&pipe, 1, kPollMs) > 0) return (pipe.revents & POLLIN) != 0;
  }
  return true;  // the run notices the interrupt, and ends with its exit code
}

bool names_standard_input(const Invocation& invocation) {
  return !uses_of_standard_input(invocation).empty();
}

}  // namespace neardup::cli
