#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/help/help_text.h"
#include "cli/help/manual_page.h"
#include "cli/options/suggest.h"
#include "cli/terminal/say.h"
#include "neardup/error.h"

namespace neardup::cli {
namespace {

void check_help(const Invocation& invocation) {
  if (invocation.given.size() > 1) throw Error(ErrorCode::kUsage, "give only one of --all, --man, --markdown and --commands");
  if (invocation.has("all") && invocation.arguments.empty())
    throw Error(ErrorCode::kUsage, "--all requires a command: neardup help COMMAND --all");
  for (const std::string_view name : {"markdown", "commands"}) {
    if (invocation.has(name) && !invocation.arguments.empty())
      throw Error(ErrorCode::kUsage, fmt::format("--{} is about all commands, not only '{}'", name, invocation.arguments.front()));
  }
}

const Command& named_command(const std::string& name) {
  if (const Command* command = find_command(name)) return *command;
  std::vector<std::string> names;
  for (const Command* known : commands()) names.emplace_back(known->name);
  const std::string meant = nearest(name, names);
  throw Error(ErrorCode::kUsage,
              fmt::format("unknown command '{}'{}", name, meant.empty() ? "" : fmt::format("; did you mean {}?", meant)));
}

std::string help_page(const Invocation& invocation) {
  if (invocation.has("markdown")) return options_markdown();
  const bool manual = invocation.has("man");
  if (invocation.arguments.empty()) return manual ? manual_page() : overview();
  const Command& command = named_command(invocation.arguments.front());
  if (manual) return manual_page(command);
  return command_help(command, invocation.has("all") ? HelpPage::kAll : HelpPage::kEssential);
}

int run_help(const Invocation& invocation, Reporter&) {
  check_help(invocation);
  if (invocation.has("commands")) {
    for (const Command* command : commands()) say("{}\n", command->name);
  } else {
    say("{}", help_page(invocation));
  }
  return kExitOk;
}

}  // namespace

const Command& help_command() {
  static const Command command{
      .name = "help",
      .sentence = "explain a command, or list them",
      .usage = "[COMMAND] [options]",
      .examples =
          "neardup help dedup\n"
          "neardup help dedup --all\n"
          "neardup help dedup --man | man -l -\n"
          "neardup help --markdown > options.md",
      .min_arguments = 0,
      .max_arguments = 1,
      .options = {essential({"--all", "", "Output", "all options of the command"}),
                  essential({"--man", "", "Output", "the manual page of the command, or of neardup, for man"}),
                  essential({"--commands", "", "Output", "only the names of all commands"}),
                  essential({"--markdown", "", "Output", "all options of all commands as a page of documentation"})},
      .run = run_help,
  };
  return command;
}

}  // namespace neardup::cli
