#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/help_text.h"
#include "cli/say.h"
#include "cli/suggest.h"
#include "neardup/error.h"

namespace neardup::cli {
namespace {

int run_help(const Invocation& invocation, Reporter&) {
  if (invocation.has("markdown")) {
    say("{}", options_markdown());
    return kExitOk;
  }
  if (invocation.arguments.empty()) {
    say("{}", overview());
    return kExitOk;
  }
  const std::string& name = invocation.arguments.front();
  const Command* command = find_command(name);
  if (command == nullptr) {
    std::vector<std::string> names;
    for (const Command* known : commands()) names.emplace_back(known->name);
    const std::string meant = nearest(name, names);
    throw Error(ErrorCode::kUsage,
                fmt::format("unknown command '{}'{}", name, meant.empty() ? "" : fmt::format("; did you mean {}?", meant)));
  }
  say("{}", command_help(*command));
  return kExitOk;
}

}  // namespace

const Command& help_command() {
  static const Command command{
      .name = "help",
      .sentence = "explain a command, or list them",
      .usage = "[COMMAND]",
      .examples =
          "neardup help dedup\n"
          "neardup help --markdown > docs/options.md",
      .min_arguments = 0,
      .max_arguments = 1,
      .options = {{"--markdown", "", "Output", "all options of all commands as a page of documentation"}},
      .run = run_help,
  };
  return command;
}

}  // namespace neardup::cli
