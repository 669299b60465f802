#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/options/local_options.h"
#include "cli/options/suggest.h"
#include "cli/run/html_recipe.h"
#include "cli/run/inputs.h"
#include "cli/run/labels.h"
#include "cli/run/outputs.h"
#include "cli/terminal/say.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/line_lists.h"

namespace neardup::cli {
namespace {

constexpr uint64_t kTop = 20;

// How a recipe names the list.
std::string members(const LineListInfo& list, std::string_view path) {
  return fmt::format("\"clean\": [{{\"lines_v1\": \"{:016x}\"}}], \"line_lists\": [{}]", list.id, json_quote(path));
}

void print(const LineListInfo& list, const std::string& path) {
  say("id           {:016x}\n", list.id);
  say("lines        {}\n", list.lines);
  say("learned from {} documents, of which more than {:.6g} have a line\n", list.documents, list.share.value());
  say("in a recipe  {}\n", members(list, path));
}

void print(const LearnedLines& learned) {
  if (learned.top.empty()) return;
  say_data("documents\tshare\tline\n");
  for (const LearnedLines::Line& line : learned.top) {
    std::string text = line.text;
    std::ranges::replace_if(
        text, [](char byte) { return byte == '\t' || byte == '\r'; }, ' ');
    say_data("{}\t{:.6f}\t{}\n", line.documents, static_cast<double>(line.documents) / static_cast<double>(learned.list.documents), text);
  }
}

Threshold share_of(const Invocation& invocation) {
  const std::string text = invocation.value("share", "0.01");
  try {
    return Threshold::parse(text);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("--share: {}", error.what()));
  }
}

int fit_lines(const Invocation& given, const std::vector<std::string>& inputs, Reporter& reporter) {
  Invocation invocation = given;
  if (!invocation.has("output")) throw Error(ErrorCode::kUsage, "-o LINES is missing: the file to write");
  if (invocation.value("output") == "-") throw Error(ErrorCode::kUsage, "--output: a list goes to a file, not to standard output");
  LineRun job;
  job.share = share_of(invocation);
  job.min_documents = local_number(invocation, "min-documents", job.min_documents, 1, std::numeric_limits<uint32_t>::max());
  job.top_lines = local_number(invocation, "top", kTop, 0, 1'000'000);

  const Options& options = invocation.options;
  RunPlan plan = plan_run(options);
  const auto source = open_inputs(inputs, options, plan, reporter);
  clean_if_html(invocation, *source, 0, plan, reporter);
  check_effects(invocation, nullptr, input_kinds(*source));
  RunOutputs outputs(invocation, {"output"});
  outputs.check(*source);
  const std::unique_ptr<RejectSink> rejects = outputs.has("rejects") ? make_reject_sink(outputs.path("rejects"), *source) : nullptr;
  reporter.start(fmt::format("recipe {}, lines in more than {:.6g} of the documents, {}", recipe_label(plan.recipe), job.share.value(),
                             machine_label(plan, *source)),
                 fmt::format(R"("recipe":{},"recipe_id":"{:016x}","share":{:.6g},{})", json_quote(plan.recipe.name), plan.recipe.id(),
                             job.share.value(), machine_json(plan, *source)));
  job.source = source.get();
  job.output = outputs.path("output");
  job.rejects = rejects.get();
  job.progress = [&](const Progress& progress) { reporter.progress(progress); };
  job.stop = interrupted;
  const LearnedLines learned = fit_lines(options, job);
  print(learned);
  const int code = outputs.finish(learned.summary, reporter);
  reporter.note(fmt::format("{} learned; in a recipe: {}", counted(learned.list.lines, "line"), members(learned.list, job.output)));
  return code;
}

int info(const Invocation& invocation, const std::vector<std::string>& inputs) {
  for (const std::string_view name : {"output", "share", "min-documents", "top", "rejects", "summary"}) {
    if (invocation.has(name)) throw Error(ErrorCode::kUsage, fmt::format("neardup lines info takes no --{}", name));
  }
  refuse_table_options(invocation, "lines info", {});
  if (inputs.size() > 1) throw Error(ErrorCode::kUsage, fmt::format("'{}' is one argument too many: neardup lines info FILE", inputs[1]));
  print(read_lines(inputs.front()), inputs.front());
  return kExitOk;
}

int run_lines(const Invocation& invocation, Reporter& reporter) {
  const std::string verb = invocation.arguments.front();
  const std::vector<std::string> rest(invocation.arguments.begin() + 1, invocation.arguments.end());
  if (verb != "fit" && verb != "info") {
    throw Error(ErrorCode::kUsage, expected_name({"fit", "info"}, verb));
  }
  if (rest.empty())
    throw Error(ErrorCode::kUsage, fmt::format("no input is named: neardup lines {} {}", verb, verb == "fit" ? "INPUT..." : "FILE"));
  return verb == "fit" ? fit_lines(invocation, rest, reporter) : info(invocation, rest);
}

}  // namespace

const Command& lines_command() {
  static const Command command{
      .name = "lines",
      .sentence = "learn the lines that a corpus repeats (menus, notices, footers), for a recipe to drop",
      .usage = "fit INPUT... -o LINES | info LINES",
      .examples =
          "neardup lines fit pages.jsonl -o menus.lines --share 0.02\n"
          "neardup lines fit --recipe html.json pages.jsonl -o menus.lines --top 100 > menus.tsv\n"
          "neardup lines info menus.lines",
      .details =
          "A line is learned when more than --share of the documents have it, ignoring white space at its ends. The cleaners of --recipe\n"
          "are applied first; place lines_v1 after them in the recipe. fit prints the most frequent lines to standard output as a\n"
          "table, and says how a recipe names the list.",
      .min_arguments = 1,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .lacks_input = [](const Invocation& invocation) { return invocation.arguments == std::vector<std::string>{"fit"}; },
      .options = with_run_options({
          essential({"-o,--output", "LINES", "Outputs", "the list that fit writes"}),
          essential({"--share", "P", "Outputs", "list lines that more than this share of the documents have; above 0, at most 1 [0.01]"}),
          essential({"--min-documents", "N", "Outputs", "and that at least N documents have [2]"}),
          essential({"--top", "N", "Outputs", "print at most N lines; 0: none, and the inputs are read only once [20]"}),
      }),
      .run = run_lines,
  };
  return command;
}

}  // namespace neardup::cli
