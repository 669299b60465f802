#include <fmt/format.h>

#include "commands.h"
#include "neardup/error.h"
#include "neardup/recipe.h"
#include "program.h"
#include "say.h"

namespace neardup::cli {
namespace {

int run(const Invocation& invocation, Reporter&) {
  if (invocation.has("list")) {
    for (const std::string_view name : Recipe::preset_names()) say("{}  {:016x}\n", name, Recipe::load(std::string(name)).id());
    return kDone;
  }
  if (invocation.arguments.empty()) throw Error(ErrorCode::kUsage, "no recipe is named: give a preset or a file, or --list");
  const Recipe recipe = Recipe::load(invocation.arguments.front());
  say("{}\n", recipe.canonical_json());
  if (!invocation.has("json")) say("id {:016x}\n", recipe.id());
  return kDone;
}

}  // namespace

const Command& recipe_command() {
  static const Command command{
      .name = "recipe",
      .sentence = "print a recipe in its canonical form, and its id; equal ids mean equal sketches",
      .usage = "NAME|FILE | --list",
      .examples =
          "neardup recipe --list\n"
          "neardup recipe words-5\n"
          "neardup recipe words-5 --json > mine.json   # to begin one of your own",
      .least_arguments = 0,
      .most_arguments = 1,
      .options = {{"--list", "", "Output", "the presets and their ids"}, {"--json", "", "Output", "the JSON only"}},
      .run = run,
  };
  return command;
}

}  // namespace neardup::cli
