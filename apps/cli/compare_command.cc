#include <fmt/format.h>

#include "commands.h"
#include "comparison_text.h"
#include "neardup/compare.h"
#include "neardup/error.h"
#include "neardup/plan.h"
#include "program.h"
#include "read_text.h"
#include "say.h"

namespace neardup::cli {
namespace {

// A text and what to call it.
NamedText text_of(const Invocation& invocation, std::string_view option, size_t& next_argument) {
  if (invocation.has(option)) return {fmt::format("--{}", option), invocation.value(option)};
  if (next_argument == invocation.arguments.size()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("two texts are needed: neardup compare A B, or --text-a and --text-b; --{} is missing", option));
  }
  const std::string& path = invocation.arguments[next_argument++];
  return {path, read_text(path)};
}

int run(const Invocation& invocation, Reporter&) {
  const RunPlan plan = plan_run(invocation.options);
  size_t next_argument = 0;
  const NamedText a = text_of(invocation, "text-a", next_argument);
  const NamedText b = text_of(invocation, "text-b", next_argument);
  if (next_argument != invocation.arguments.size()) {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' is one text too many: two are compared", invocation.arguments[next_argument]));
  }
  const Sketcher sketcher(plan.recipe);
  const Comparison comparison = compare_texts(sketcher, a.text, b.text);
  const ComparisonPage page{a.name, b.name, comparison, plan, invocation.options.threshold};
  say("{}", invocation.has("json") ? page.to_json() : page.to_text(output_is_colored()));
  return kDone;
}

}  // namespace

const Command& compare_command() {
  static const Command command{
      .name = "compare",
      .sentence = "measure two texts against each other in every way, and show what they share",
      .usage = "A B [options]",
      .examples =
          "neardup compare old.txt new.txt\n"
          "neardup compare --recipe chars-5 --text-a '今天天气很好' --text-b '今天天气真好'\n"
          "neardup compare old.txt new.txt --json | python3 -m json.tool",
      .details =
          "A and B are files, one of them may be - for standard input. Jaccard, containment and cosine are exact, over the sets of\n"
          "shingles; the estimate and the chance to be found are what a run would work with.",
      .least_arguments = 0,
      .most_arguments = 2,
      .options = {{"--text-a", "TEXT", "Texts", "the first text itself, instead of a file"},
                  {"--text-b", "TEXT", "Texts", "the second text itself, instead of a file"},
                  {"--json", "", "Output", "the same as JSON, with the passages whole"}},
      .run = run,
  };
  return command;
}

}  // namespace neardup::cli
