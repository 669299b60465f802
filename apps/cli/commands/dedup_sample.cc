#include "cli/commands/dedup_sample.h"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>

#include "cli/interrupt.h"
#include "cli/terminal/reporter.h"
#include "cli/terminal/say.h"
#include "cli/tune/removals_page.h"
#include "neardup/error.h"
#include "neardup/tools/sample_removals.h"

namespace neardup::cli {
namespace {

constexpr size_t kSourcesShown = 20;

struct Excluded {
  std::string_view option;
  std::string_view why;
};

constexpr Excluded kExcluded[] = {
    {"against", "its corpus or index is not sampled"},
    {"work", "it stores no run"},
    {"prepare", "it stores no run"},
    {"resume", "it reads its inputs anew"},
    {"rethreshold", "it reads its inputs anew"},
    {"delete-removed", "it does not know which documents are removed"},
};

}  // namespace

void check_sample_options(const Invocation& invocation) {
  if (!invocation.has("sample")) return;
  if (!invocation.has("dry-run")) {
    throw Error(ErrorCode::kUsage, "--sample requires --dry-run: it predicts the removals of a run, and writes nothing");
  }
  for (const Excluded& excluded : kExcluded) {
    if (!invocation.has(excluded.option)) continue;
    throw Error(ErrorCode::kUsage, fmt::format("--{}: cannot be combined with --sample: {}", excluded.option, excluded.why));
  }
  SampleShare::parse(invocation.value("sample"));
  require_sampling(invocation.options);
}

int predict_removals(const Invocation& invocation, DedupWork& work, Reporter& reporter) {
  SampleRun run;
  run.source = work.sources.all.get();
  run.share = SampleShare::parse(invocation.value("sample"));
  run.progress = [&](const Progress& progress) { reporter.progress(progress); };
  run.stop = interrupted;
  const SampledRemovals found = sample_removals(invocation.options, run);
  if (found.summary.read == 0) reporter.warning("the input has no documents");
  const std::string json = removals_json(found);
  const int code = work.outputs.finish({.text = {}, .json = json, .warnings = found.summary.warnings}, found.summary.rejected, reporter);
  // The prediction is the result of this command, not a message about it.
  if (invocation.value("log-format") == "json") {
    say_json(json + "\n");
  } else {
    say("{}", removals_page(found, kSourcesShown));
  }
  return code;
}

}  // namespace neardup::cli
