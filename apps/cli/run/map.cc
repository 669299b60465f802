#include "cli/run/map.h"

#include <fmt/format.h>

#include <memory>

#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/run/html_recipe.h"
#include "cli/run/inputs.h"
#include "cli/run/labels.h"
#include "cli/run/outputs.h"
#include "cli/terminal/text_format.h"
#include "neardup/io.h"
#include "neardup/tools/plan.h"

namespace neardup::cli {

int run_map(const Invocation& given, Reporter& reporter, const std::function<std::string(const Options&)>& what,
            const std::function<Summary(const Options&, const MapRun&)>& job, bool by_recipe) {
  Invocation invocation = given;
  if (!invocation.has("output")) invocation.given["output"] = {"-"};
  const Options& options = invocation.options;
  RunPlan plan = plan_run(options);
  const auto source = open_inputs(invocation.arguments, options, plan, reporter);
  if (by_recipe) clean_if_html(invocation, *source, 0, plan, reporter);
  check_effects(invocation, nullptr, input_kinds(*source));
  RunOutputs outputs(invocation, {"output"});
  outputs.check(*source);
  const auto sink = make_piece_sink(outputs.path("output"));
  const std::unique_ptr<RejectSink> rejects = outputs.has("rejects") ? make_reject_sink(outputs.path("rejects"), *source) : nullptr;
  const auto start = [&] {
    const std::string label = what(options);
    reporter.start(fmt::format("{}, {}", label, machine_label(plan, *source)),
                   fmt::format(R"("what":{},{})", json_quote(label), machine_json(plan, *source)));
  };
  // A small result on the terminal should not be followed by five lines about it.
  constexpr uint64_t kFewBytes = 1 << 16;
  const bool watched = invocation.has("metrics") || invocation.has("summary") || invocation.has("log-format") || invocation.has("verbose");
  bool started = watched || outputs.path("output") != "-" || source->input_bytes() > kFewBytes;
  if (started) start();
  if (outputs.to_terminal()) reporter.share_terminal();
  MapRun run;
  run.source = source.get();
  run.sink = sink.get();
  run.rejects = rejects.get();
  run.max_rejects = options.max_rejects;
  run.progress = [&](const Progress& progress) {
    if (!started && progress.bytes_done > kFewBytes) {
      start();
      started = true;
    }
    if (started) reporter.progress(progress);
  };
  run.stop = interrupted;
  const Summary summary = job(options, run);
  if (!started && summary.read == 1 && summary.rejected == 0 && summary.warnings.empty()) return kExitOk;
  if (!started) start();
  return outputs.finish(summary, reporter);
}

}  // namespace neardup::cli
