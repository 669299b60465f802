#include <fmt/format.h>

#include <limits>

#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/options/local_options.h"
#include "cli/run/inputs.h"
#include "cli/run/labels.h"
#include "cli/run/outputs.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/quotes.h"

namespace neardup::cli {
namespace {

constexpr uint64_t kAllPlaces = 100;

int run_quotes(const Invocation& given, Reporter& reporter) {
  Invocation invocation = given;
  if (!invocation.has("output")) invocation.given["output"] = {"-"};
  QuotesRun job;
  job.min_run = static_cast<uint32_t>(local_number(invocation, "min-run", job.min_run, QuotesRun::kMinMinRun, QuotesRun::kMaxMinRun));
  job.fold_han = invocation.has("fold-han");
  if (invocation.has("max-places") && !invocation.has("all-places"))
    throw Error(ErrorCode::kUsage, "--max-places is for --all-places: how many of them");
  if (invocation.has("all-places")) job.max_places = local_number(invocation, "max-places", kAllPlaces, 1, 1'000'000);

  const Options& options = invocation.options;
  const RunPlan plan = plan_run(options);
  const auto source = open_inputs(invocation.arguments, options, plan, reporter);
  check_effects(invocation, nullptr, input_kinds(*source));
  RunOutputs outputs(invocation, {"output"});
  outputs.check(*source);
  const std::unique_ptr<RejectSink> rejects = outputs.has("rejects") ? make_reject_sink(outputs.path("rejects"), *source) : nullptr;
  reporter.start(fmt::format("passages of at least {} columns, {}", job.min_run, machine_label(plan, *source)),
                 fmt::format(R"("min_run":{},{})", job.min_run, machine_json(plan, *source)));
  if (outputs.to_terminal()) reporter.share_terminal();
  job.source = source.get();
  job.output = outputs.path("output");
  job.rejects = rejects.get();
  job.progress = [&](const Progress& progress) { reporter.progress(progress); };
  job.stop = interrupted;
  const Quotes found = quotes(options, job);
  if (found.summary.read == 0) reporter.warning("the input has no documents");
  reporter.count(found.summary);
  return outputs.finish({.text = found.to_text(outputs.verbose()), .json = found.to_json(), .warnings = found.summary.warnings},
                        found.summary.rejected, reporter);
}

}  // namespace

const Command& quotes_command() {
  static const Command command{
      .name = "quotes",
      .sentence = "list the passages that texts share with earlier texts, with both places",
      .usage = "INPUT... [-o QUOTES] [options]",
      .examples =
          "neardup quotes corpus.jsonl -o quotes.tsv\n"
          "neardup quotes laws.jsonl articles.jsonl --min-run 60 -o quotes.jsonl\n"
          "neardup quotes corpus.jsonl --all-places | cut -f 1,4,7 | sort -k 3 -rn | head",
      .details =
          "Case, width, punctuation and white space do not matter. A passage is a run that an earlier text of the input has too and that "
          "is\n"
          "not part of a longer one; each is listed with the earliest text that has it. The length is in columns: a Chinese character, "
          "kana\n"
          "or Hangul syllable has two, any other character one. Begins and ends are bytes of the texts. A document without an id is named\n"
          "SOURCE:ROW. Nothing is missed.",
      .min_arguments = 1,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .reads_pipe = true,
      .options = with_run_options({
          essential({"-o,--output", "FILE", "Outputs",
                     "id_a, begin_a, end_a, id_b, begin_b, end_b, length, passage: a table, or JSON Lines if FILE ends in .jsonl [-, "
                     "standard output]",
                     false, kTableEndings}),
          essential({"--min-run", "N", "Passages",
                     "list passages of at least N columns; shorter ones are mostly set phrases, 9 to 1000000 [40]"}),
          {"--fold-han", "", "Passages", "traditional Chinese characters match simplified ones"},
          essential({"--all-places", "", "Passages", "list a passage with all earlier places, not only the earliest"}),
          essential({"--max-places", "N", "Passages", "with at most N of them; a passage with more is counted in the summary [100]"}),
      }),
      .run = run_quotes,
  };
  return command;
}

}  // namespace neardup::cli
