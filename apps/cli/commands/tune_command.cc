#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/options/local_options.h"
#include "cli/run/inputs.h"
#include "cli/run/labels.h"
#include "cli/run/outputs.h"
#include "cli/terminal/say.h"
#include "cli/terminal/text_format.h"
#include "cli/tune/tune_json.h"
#include "cli/tune/tune_page.h"
#include "cli/tune/tune_toml.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/plan.h"
#include "neardup/tools/tune.h"

namespace neardup::cli {
namespace {

constexpr size_t kShownSources = 20;

int run_tune(const Invocation& invocation, Reporter& reporter) {
  const Options& options = invocation.options;
  const RunPlan plan = plan_run(options);
  const auto source = open_inputs(invocation.arguments, options, plan, reporter);
  check_effects(invocation, nullptr, input_kinds(*source));
  RunOutputs outputs(invocation, {"output"});
  outputs.check(*source);
  if (outputs.has("output") && outputs.path("output") == "-") {
    throw Error(ErrorCode::kUsage, "--output: the configuration goes to a file; standard output has the findings");
  }
  std::optional<ResultFile> configuration;
  if (outputs.has("output")) configuration.emplace(outputs.path("output"));
  const std::unique_ptr<RejectSink> rejects = outputs.has("rejects") ? make_reject_sink(outputs.path("rejects"), *source) : nullptr;
  reporter.start(machine_label(plan, *source), machine_json(plan, *source));

  TuneRun run;
  run.source = source.get();
  run.rejects = rejects.get();
  run.sample_documents = static_cast<uint32_t>(local_number(invocation, "sample", run.sample_documents, 100, 1'000'000));
  run.progress = [&](const Progress& progress) { reporter.progress(progress); };
  run.stop = interrupted;
  const TuneResult result = tune(options, run);
  if (outputs.to_terminal()) reporter.share_terminal();
  if (invocation.has("json")) {
    say_json(tune_json(result));
  } else {
    say_styled(tune_page(result, kShownSources));
  }
  if (configuration) configuration->write(tune_toml(result));
  return outputs.finish(result.summary, reporter);
}

}  // namespace

const Command& tune_command() {
  static const Command command{
      .name = "tune",
      .sentence = "recommend recipe, threshold and cleaning for a corpus, from what changes between its near-duplicates",
      .usage = "INPUT... [-o FILE.toml] [options]",
      .examples =
          "neardup tune corpus.jsonl\n"
          "neardup tune news/*.jsonl.zst -o news.toml && neardup dedup --config news.toml news/*.jsonl.zst -o kept.jsonl\n"
          "neardup tune corpus.parquet --json",
      .details =
          "Reads the corpus once and looks at samples of it: lengths, scripts, repeated lines; near-duplicates and what changes between\n"
          "them, with examples at each similarity. Each recommended option has its reason, and the removals to expect a range.",
      .min_arguments = 1,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .reads_pipe = true,
      .options = with_run_options({
          essential({"-o,--output", "FILE", "Outputs", "write the recommended options for neardup dedup --config FILE", false, ".toml"}),
          essential({"--json", "", "Outputs", "print the findings as JSON, complete"}),
          {"--sample", "N", "Outputs", "compare at most N different texts, 100 to 1000000; more give narrower ranges [10000]"},
      }),
      .run = run_tune,
  };
  return command;
}

}  // namespace neardup::cli
