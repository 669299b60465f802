#include <optional>

#include "cli/commands/commands.h"
#include "cli/run/finished_run.h"
#include "cli/run/run_report.h"
#include "cli/terminal/say.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/result_file.h"
#include "neardup/tools/run_report.h"

namespace neardup::cli {
namespace {

int run_report(const Invocation& invocation, Reporter& reporter) {
  const bool json = invocation.has("json");
  if (!json && !invocation.has("output")) {
    throw Error(ErrorCode::kUsage, "no output is named: give -o FILE.html for the page, or --json for the data alone");
  }
  const std::string output = invocation.has("output") ? lasting_path(invocation.value("output")) : "";
  const FinishedRun run = open_finished_run(invocation.arguments.front(), reporter);
  std::optional<ResultFile> file;
  if (!output.empty()) {
    check_outputs({output}, run.inputs);
    file.emplace(output);
  }
  const std::string report = make_run_report(
      {.record = *run.record, .invocation = run.invocation, .directory = run.directory, .inputs = run.inputs, .source = run.source});
  if (!file) {
    say_json(report + "\n");
  } else {
    file->write(json ? report + "\n" : report_page(report));
  }
  return kExitOk;
}

}  // namespace

const Command& report_command() {
  static const Command command{
      .name = "report",
      .sentence = "show what a finished run did as one page: removals per source, examples, clusters, shared passages",
      .usage = "RUN -o FILE.html",
      .examples =
          "neardup dedup corpus.jsonl -o kept.jsonl --work run; neardup report run -o report.html\n"
          "neardup dedup corpus.jsonl -o kept.jsonl --report report.html\n"
          "neardup report run --json",
      .details =
          "RUN is the checkpoint directory of a finished run (dedup --work). The page needs no network and no other file. Texts are read\n"
          "again from the inputs of the run; where that fails, the page has no examples and says why.",
      .min_arguments = 1,
      .max_arguments = 1,
      .options = {essential({"-o,--output", "FILE", "Outputs", "the page; - is standard output"}),
                  essential({"--json", "", "Outputs", "the data of the page instead of the page; without -o on standard output"}),
                  {"--log-format", "text|json", "Report", "messages as text, or as one JSON object per line [text]"},
                  {"-q,--quiet", "", "Report", "print only errors"}},
      .run = run_report,
  };
  return command;
}

}  // namespace neardup::cli
