#include <fmt/format.h>

#include <limits>

#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/options/local_options.h"
#include "cli/run/html_recipe.h"
#include "cli/run/inputs.h"
#include "cli/run/labels.h"
#include "cli/run/outputs.h"
#include "cli/terminal/text_format.h"
#include "neardup/io.h"
#include "neardup/pairs.h"

namespace neardup::cli {
namespace {

int run_pairs(const Invocation& given, Reporter& reporter) {
  Invocation invocation = given;
  if (!invocation.has("output")) invocation.given["output"] = {"-"};
  const Options& options = invocation.options;
  RunPlan plan = plan_run(options);
  const auto source = open_inputs(invocation.arguments, options, plan, reporter);
  clean_if_html(invocation, *source, 0, plan, reporter);
  check_effects(invocation, &plan, input_kinds(*source));
  if (options.verify == Verify::kFalse) {
    throw Error(ErrorCode::kUsage, "--verify: pairs lists verified similarities, so it cannot be 'false'");
  }
  RunOutputs outputs(invocation, {"output"});
  outputs.check(*source);
  const auto sink = make_pair_sink(outputs.path("output"), *source, options.measure);
  const std::unique_ptr<RejectSink> rejects = outputs.has("rejects") ? make_reject_sink(outputs.path("rejects"), *source) : nullptr;

  if (const std::string warning = plan_warning(options, plan); !warning.empty()) reporter.warning(warning);
  const uint64_t bytes = source->input_bytes();
  reporter.start(fmt::format("recipe {}, {}{}, {}, {}, {}{}", recipe_label(plan.recipe), threshold_label(options, plan),
                             search_label(options, plan), counted(plan.threads, "thread"), memory_label(options, plan),
                             inputs_label(*source), bytes > 0 ? ", " + data_size(bytes) : ""),
                 fmt::format(R"("recipe":{},"recipe_id":"{:016x}",{},)"
                             R"("threads":{},"memory_bytes":{},{},"input_bytes":{})",
                             json_quote(plan.recipe.name), plan.recipe.id(), search_json(options, plan), plan.threads, plan.memory_bytes,
                             inputs_json(*source), bytes));
  if (outputs.to_terminal()) reporter.share_terminal();
  PairsRun job;
  job.source = source.get();
  job.sink = sink.get();
  job.rejects = rejects.get();
  job.progress = [&](const Progress& progress) { reporter.progress(progress); };
  job.stop = interrupted;
  const Summary summary = pairs(options, job);
  if (summary.pairs == 0) {
    reporter.note(threshold_label(options, plan).empty() ? fmt::format("no pair within distance {}", plan.max_distance)
                                                         : fmt::format("no pair at or above {}", options.threshold.value()));
  }
  return outputs.finish(summary, reporter);
}

}  // namespace

const Command& pairs_command() {
  static const Command command{
      .name = "pairs",
      .sentence = "list all pairs of documents that match, with their exact similarity",
      .usage = "INPUT... [-o PAIRS] [options]",
      .examples =
          "neardup pairs corpus.jsonl -o pairs.tsv\n"
          "neardup pairs articles/ --threshold 0.5 --search exact -o pairs.jsonl\n"
          "neardup pairs corpus.jsonl.zst --recipe chars-5 | sort -t \"$(printf '\\t')\" -k3 -rn | head",
      .details =
          "The first of a pair comes first in the input; pairs are sorted by the first, then by the second. A document without an id\n"
          "is named SOURCE:ROW. Exact copies pair with similarity 1. With --measure containment the second contains the first.",
      .min_arguments = 1,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .reads_pipe = true,
      .options = with_run_options({
          essential({"-o,--output", "FILE", "Outputs",
                     "id_a, id_b, similarity (or contained, container, containment): a table, or JSON Lines if FILE ends in .jsonl [-, "
                     "standard output]",
                     false, kTableEndings}),
          config_option(),
      }),
      .run = run_pairs,
  };
  return command;
}

}  // namespace neardup::cli
