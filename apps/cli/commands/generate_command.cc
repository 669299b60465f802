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
#include "neardup/tools/generate.h"

namespace neardup::cli {
namespace {

GenerateRun generate_run(const Invocation& invocation) {
  GenerateRun run;
  if (invocation.has("kind")) run.kinds = split(invocation.value("kind"), ',');
  if (invocation.has("strength")) {
    for (const std::string& strength : split(invocation.value("strength"), ',')) run.strengths.push_back(EditStrength::parse(strength));
  }
  run.copies = local_number(invocation, "copies", run.copies, 0, std::numeric_limits<uint32_t>::max());
  run.seed = local_number(invocation, "seed", run.seed, 0, std::numeric_limits<uint64_t>::max());
  run.max_documents = local_number(invocation, "documents", run.max_documents, 2, GenerateRun::kMaxDocuments);
  run.min_words = local_number(invocation, "min-words", run.min_words, 1, std::numeric_limits<uint32_t>::max());
  return run;
}

int run_generate(const Invocation& given, Reporter& reporter) {
  Invocation invocation = given;
  if (!invocation.has("output")) invocation.given["output"] = {"-"};
  GenerateRun job = generate_run(invocation);
  const Options& options = invocation.options;
  const RunPlan plan = plan_run(options);
  const auto source = open_inputs(invocation.arguments, options, plan, reporter);
  check_effects(invocation, nullptr, input_kinds(*source));
  RunOutputs outputs(invocation, {"output", "truth"});
  outputs.check(*source);
  const auto documents = make_piece_sink(outputs.path("output"));
  const auto truth = outputs.has("truth") ? make_pair_sink(outputs.path("truth"), *source) : nullptr;
  const std::unique_ptr<RejectSink> rejects = outputs.has("rejects") ? make_reject_sink(outputs.path("rejects"), *source) : nullptr;
  reporter.start(fmt::format("up to {} documents, seed {}, {}", job.max_documents, job.seed, machine_label(plan, *source)),
                 fmt::format(R"("documents":{},"seed":{},{})", job.max_documents, job.seed, machine_json(plan, *source)));
  if (outputs.to_terminal()) reporter.share_terminal();
  job.source = source.get();
  job.documents = documents.get();
  job.truth = truth.get();
  job.rejects = rejects.get();
  job.progress = [&](const Progress& progress) { reporter.progress(progress); };
  job.stop = interrupted;
  const GenerateSummary summary = generate(options, job);
  reporter.count(summary.read);
  return outputs.finish({.text = summary.to_text(outputs.verbose()), .json = summary.to_json(), .warnings = summary.read.warnings},
                        summary.read.rejected, reporter);
}

// The kinds, as lines of the help.
const std::string& generate_details() {
  static const std::string text = [] {
    std::string made =
        "Draws documents that do not resemble each other, and writes each with edited copies. Fields: id, text, kind, strength, changed "
        "and\n"
        "units (units of the original that the edit changed, and their number), of (the id of the original), similarity (to the original,\n"
        "Jaccard of chars-5), duplicate, cluster. Documents with the same cluster are near-duplicates, no others. Kinds:\n";
    for (const EditKindInfo& kind : edit_kinds()) {
      made += fmt::format("  {:<12}{}{}{}\n", kind.name, kind.meaning, kind.has_strength ? "" : " (no strength)",
                          kind.duplicate ? "" : "; not a duplicate");
    }
    made += "The same documents, seed and options give the same output on every machine.";
    return made;
  }();
  return text;
}

}  // namespace

const Command& generate_command() {
  static const Command command{
      .name = "generate",
      .sentence = "make labelled near-duplicates of real texts, by kind and strength of the edit",
      .usage = "INPUT... [-o DOCUMENTS] [--truth PAIRS] [options]",
      .examples =
          "neardup generate corpus.jsonl -o labelled.jsonl --truth pairs.tsv\n"
          "neardup generate corpus.jsonl --kind insert,ocr --strength 1,5%,20% --copies 6 -o labelled.jsonl\n"
          "neardup generate corpus.jsonl --kind template --strength 2% --documents 200 --seed 7 -o forms.jsonl",
      .details = generate_details(),
      .min_arguments = 1,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .reads_pipe = true,
      .options = with_run_options({
          essential({"-o,--output", "FILE", "Outputs", "the originals and their copies, one JSON line each [-, standard output]", false,
                     kLineEndings}),
          essential({"--truth", "FILE", "Outputs",
                     "the pairs of near-duplicates with their similarity: a table, or JSON Lines if FILE ends "
                     "in .jsonl",
                     false, kTableEndings}),
          essential({"--kind", "KIND[,KIND...]", "Edits", "kinds of edits; copies take turns with them [all]"}),
          essential({"--strength", "N|P%[,...]", "Edits", "how many words an edit changes, or their share [1%,5%,20%]"}),
          essential({"--copies", "N", "Edits", "copies of each document, each of another kind or strength; 0: one of each [1]"}),
          essential({"--documents", "N", "Edits", "maximum number of originals, 2 to 1000000; they are held in memory [1000]"}),
          essential({"--min-words", "N", "Edits", "leave out texts with fewer words; a Chinese character counts as one [20]"}),
          essential({"--seed", "N", "Edits", "another number gives other originals and edits [1]"}),
      }),
      .run = run_generate,
  };
  return command;
}

}  // namespace neardup::cli
