#include <fmt/format.h>

#include <limits>

#include "cli/check_invocation.h"
#include "cli/commands/commands.h"
#include "cli/run_support.h"
#include "neardup/tools/clean_all.h"

namespace neardup::cli {
namespace {

int run(const Invocation& invocation, Reporter& reporter) {
  const Recipe recipe = Recipe::load(invocation.options.recipe);
  const std::string what = recipe.clean == "[]" ? fmt::format("recipe {} has no cleaners, the texts stay as they are", recipe_label(recipe))
                                                : fmt::format("recipe {}, cleaners {}", recipe_label(recipe), recipe.clean);
  return run_map(invocation, reporter, what, clean_all);
}

}  // namespace

const Command& clean_command() {
  static const Command command{
      .name = "clean",
      .sentence = "print each text as the cleaners of a recipe leave it, one JSON line a document",
      .usage = "INPUT... [-o TEXTS] [options]",
      .examples =
          "neardup clean --recipe simhash-jieba-30 pages.jsonl -o texts.jsonl\n"
          "neardup clean --recipe mine.json --format text --charset auto page.html",
      .details =
          "Fields: id, text. A recipe names its cleaners by the member clean, for instance \"clean\": [\"html_v1\"]; the text is not\n"
          "normalized. What is printed is what the tokens of the recipe come from.",
      .least_arguments = 1,
      .most_arguments = std::numeric_limits<size_t>::max(),
      .reads_pipe = true,
      .options = with_run_options({
          {"-o,--output", "FILE", "Outputs", "one JSON line a document; .gz, .zst, .bz2 at the end compress [-, standard output]", false,
           kLineEndings},
      }),
      .run = run,
  };
  return command;
}

}  // namespace neardup::cli
