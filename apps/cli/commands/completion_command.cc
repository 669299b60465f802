#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/help/completion.h"
#include "cli/options/suggest.h"
#include "cli/terminal/say.h"
#include "neardup/error.h"

namespace neardup::cli {
namespace {

int run_completion(const Invocation& invocation, Reporter&) {
  const std::string& shell = invocation.arguments.front();
  if (shell == "bash") {
    say("{}", bash_completion());
  } else if (shell == "zsh") {
    say("{}", zsh_completion());
  } else if (shell == "fish") {
    say("{}", fish_completion());
  } else {
    throw Error(ErrorCode::kUsage, expected_name({"bash", "zsh", "fish"}, shell));
  }
  return kExitOk;
}

}  // namespace

const Command& completion_command() {
  static const Command command{
      .name = "completion",
      .sentence = "print a script with which a shell completes commands, options and values",
      .usage = "bash|zsh|fish",
      .examples =
          "source <(neardup completion bash)\n"
          "neardup completion zsh > \"${fpath[1]}/_neardup\"\n"
          "neardup completion fish > ~/.config/fish/completions/neardup.fish",
      .details = "The scripts are also installed with neardup, into folders that the shells search.",
      .min_arguments = 1,
      .max_arguments = 1,
      .run = run_completion,
  };
  return command;
}

}  // namespace neardup::cli
