#include <fmt/format.h>

#include <limits>

#include "commands.h"
#include "interrupt.h"
#include "neardup/sketch_all.h"
#include "run_support.h"
#include "text_format.h"

namespace neardup::cli {
namespace {

int run(const Invocation& given, Reporter& reporter) {
  Invocation invocation = given;
  if (!invocation.has("output")) invocation.given["output"] = {"-"};
  const Options& options = invocation.options;
  const RunPlan plan = plan_run(options);
  const auto source = open_inputs(invocation.arguments, options, plan);
  Outputs outputs(invocation, {"output"});
  outputs.check(*source);
  const auto sink = make_sketch_sink(outputs.path("output"), *source, plan.recipe.id());
  const std::unique_ptr<RejectSink> rejects = outputs.has("rejects") ? make_reject_sink(outputs.path("rejects"), *source) : nullptr;

  const uint64_t bytes = source->input_bytes();
  reporter.start(
      fmt::format("recipe {}, {} lanes, {}, {}{}", recipe_label(plan.recipe), plan.recipe.lanes, counted(plan.threads, "thread"),
                  counted(source->source_count(), "input"), bytes > 0 ? ", " + data_size(bytes) : ""),
      fmt::format(R"("recipe":{},"recipe_id":"{:016x}","lanes":{},"threads":{},"inputs":{},"input_bytes":{})", json_quote(plan.recipe.name),
                  plan.recipe.id(), plan.recipe.lanes, plan.threads, source->source_count(), bytes));
  SketchRun job;
  job.source = source.get();
  job.sink = sink.get();
  job.rejects = rejects.get();
  job.progress = [&](const Progress& progress) { reporter.progress(progress); };
  job.stop = interrupted;
  return outputs.finish(sketch_all(options, job), reporter);
}

}  // namespace

const Command& sketch_command() {
  static const Command command{
      .name = "sketch",
      .sentence = "print the MinHash signature and the exact hash of each document, one JSON line a document",
      .usage = "INPUT... [-o SKETCHES] [options]",
      .examples =
          "neardup sketch corpus.jsonl -o sketches.jsonl.zst\n"
          "neardup sketch --recipe chars-5 page.txt",
      .details =
          "Fields: recipe_id, source, row, id, exact (128-bit hash of the normalized text), features (distinct shingles), too_short,\n"
          "signature.\n"
          "Two documents agree in a lane of the signature with a probability that is the Jaccard similarity of their features.",
      .least_arguments = 1,
      .most_arguments = std::numeric_limits<size_t>::max(),
      .options = with_run_options({
          {"-o,--output", "FILE", "Outputs", "the sketches; .gz, .zst, .bz2 at the end compress [-, standard output]"},
      }),
      .run = run,
  };
  return command;
}

}  // namespace neardup::cli
