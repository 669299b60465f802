#include "cli/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

#include "cli/commands/commands.h"
#include "cli/help/help_text.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/options/parse.h"
#include "cli/options/suggest.h"
#include "cli/terminal/reporter.h"
#include "cli/terminal/say.h"
#include "neardup/error.h"
#include "neardup/stop.h"
#include "neardup/tools/instruction_sets.h"

namespace neardup::cli {
namespace {

// True if the command writes only to files, which appear only on success. Standard output cannot be withdrawn.
bool writes_files(const Command& command, const Invocation& invocation) {
  for (const std::string_view name : {"removed", "verdicts", "annotate", "output-dir"}) {
    if (invocation.has(name)) return true;
  }
  const auto names_output = [](const LocalOption& option) { return option.flags.ends_with("--output"); };
  if (std::ranges::none_of(command.options, names_output)) return true;  // an index
  const std::string output = invocation.value("output");
  return output.empty() ? invocation.has("resume") || invocation.has("work") : output != "-";
}

int fail(const Command& command, const Invocation& invocation, Reporter& reporter, const Error& error) {
  if (interrupted()) {
    reporter.stopped(writes_files(command, invocation));
    return interrupt_code();
  }
  if (error.code() == ErrorCode::kOutput && output_reader_closed()) {
    end_by_broken_pipe();
    return kExitFailed;
  }
  if (error.code() == ErrorCode::kUsage) reporter.set_resume({});  // the command must change first
  if (error.code() != ErrorCode::kUsage) {
    reporter.error(error.what());
    return kExitFailed;
  }
  reporter.error(with_dashes(command, error.what()));
  return kExitUsage;
}

int fail_usage(const std::string& command, const std::string& message, const std::vector<std::string>& words) {
  Reporter reporter(command, Reporter::Format::kText, false);
  reporter.hide_secrets_of(words);
  reporter.error(message, fmt::format("try: neardup {}--help", command.empty() ? "" : command + " "));
  return kExitUsage;
}

// The place of a value of the option among `choices`, of which the first is the default. Throws Error{kUsage}.
size_t choice(const Invocation& invocation, std::string_view option, std::initializer_list<std::string_view> choices) {
  const std::string value = invocation.value(option, *choices.begin());
  const auto* const found = std::ranges::find(choices, value);
  if (found != choices.end()) return static_cast<size_t>(found - choices.begin());
  throw Error(ErrorCode::kUsage, fmt::format("--{}: expected one of {}, not '{}'", option, fmt::join(choices, ", "), value));
}

int run_command(const Command& command, const std::vector<std::string>& words) {
  Invocation invocation;
  Reporter::Format format = Reporter::Format::kText;
  Reporter::ShowProgress progress = Reporter::ShowProgress::kAuto;
  try {
    invocation = parse_command(command, words);
    if (invocation.help != HelpPage::kNone) {
      say("{}", command_help(command, invocation.help));
      return kExitOk;
    }
    format = static_cast<Reporter::Format>(choice(invocation, "log-format", {"text", "json"}));
    progress = static_cast<Reporter::ShowProgress>(choice(invocation, "progress", {"auto", "always", "never"}));
    if (invocation.has("quiet") && invocation.has("verbose")) throw Error(ErrorCode::kUsage, "--quiet and --verbose cannot be combined");
    const std::string problem = kernels_problem();
    if (!problem.empty() && command.name != "doctor" && command.name != "help") throw Error(ErrorCode::kUsage, problem);
  } catch (const Error& error) {
    return fail_usage(std::string(command.name), error.what(), words);
  }
  Reporter reporter(command.name, format, invocation.has("quiet"), progress);
  const StopFunction stop = interrupted;
  const StopScope scope(&stop);
  try {
    reporter.hide_secrets_of(invocation.words);
    if (invocation.has("metrics")) reporter.write_metrics(invocation.value("metrics"));
    check_invocation(command, invocation, reporter);
    add_piped_input(command, invocation);
    if (!invocation.has("resume")) check_database_options(invocation);
    return command.run(invocation, reporter);
  } catch (const Error& error) {
    return fail(command, invocation, reporter, error);
  } catch (const std::bad_alloc&) {
    reporter.error("out of memory; lower --memory, so that more data go to disk, or --threads");
  } catch (const std::exception& error) {
    reporter.error(fmt::format("internal error: {}", error.what()));
  }
  return kExitFailed;
}

int dispatch(std::vector<std::string> words) {
  if (words.empty() || words.front() == "--help" || words.front() == "-h") {
    say("{}", overview());
    return kExitOk;
  }
  if (words.front() == "--version" || words.front() == "-V") {
    say("neardup " NEARDUP_VERSION "\n");
    return kExitOk;
  }
  if (const Command* command = find_command(words.front())) {
    words.erase(words.begin());
    return run_command(*command, words);
  }
  std::vector<std::string> names{"--help", "--version"};
  for (const Command* command : commands()) names.emplace_back(command->name);
  const std::string meant = nearest(words.front(), names);
  return fail_usage("",
                    fmt::format("unknown {} '{}'{}", words.front().starts_with("-") ? "option" : "command", words.front(),
                                meant.empty() ? "" : fmt::format("; did you mean {}?", meant)),
                    words);
}

}  // namespace

int run_program(std::vector<std::string> words) noexcept {
  try {
    const int code = dispatch(std::move(words));
    // A failed write of say() must not end in success.
    if ((std::fflush(stdout) == 0 && std::ferror(stdout) == 0) || code != kExitOk) return code;
    if (output_reader_closed()) end_by_broken_pipe();
    std::fputs("neardup: cannot write standard output\n", stderr);
  } catch (const std::bad_alloc&) {  // before a run, or while reporting another failed allocation
    std::fputs("neardup: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "neardup: %s\n", error.what());
  }
  return kExitFailed;
}

}  // namespace neardup::cli
