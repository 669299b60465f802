#include <fmt/format.h>

#include <limits>
#include <string_view>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/options/fingerprint_options.h"
#include "cli/options/local_options.h"
#include "cli/run/given_texts.h"
#include "cli/run/html_recipe.h"
#include "cli/run/inputs.h"
#include "cli/run/labels.h"
#include "cli/run/outputs.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/texts.h"
#include "neardup/tools/block_rows.h"
#include "neardup/tools/run_recipe.h"
#include "neardup/tools/sketch_all.h"

namespace neardup::cli {
namespace {

bool is_array(std::string_view path) {
  for (const std::string_view end : {".npy", ".bin", ".bin.gz", ".bin.zst", ".bin.bz2"}) {
    if (path.ends_with(end)) return true;
  }
  return false;
}

FingerprintText fingerprint_text(const Invocation& invocation, const Recipe& recipe) {
  if (!invocation.has("fingerprint")) return FingerprintText::kHex;
  const std::string name = invocation.value("fingerprint");
  if (!recipe.fingerprints()) {
    throw Error(ErrorCode::kUsage, fmt::format("--fingerprint: recipe '{}' makes MinHash signatures, not fingerprints", recipe.name));
  }
  if (is_array(invocation.value("output"))) {
    throw Error(ErrorCode::kUsage, fmt::format("--fingerprint: '{}' holds numbers, not text", invocation.value("output")));
  }
  return fingerprint_text_option("fingerprint", name);
}

std::unique_ptr<SketchSink> make_sink(const Invocation& invocation, const DocumentSource& source, const Recipe& recipe) {
  const FingerprintText text = fingerprint_text(invocation, recipe);
  const std::string path = invocation.value("output");
  if (!invocation.has("blocks")) return make_sketch_sink(path, source, text);
  if (is_array(path)) throw Error(ErrorCode::kUsage, fmt::format("--blocks: '{}' holds numbers, not rows", path));
  const FingerprintBlocks blocks = blocks_option(invocation);
  check_blocks(blocks, recipe);
  return make_block_row_sink(path, source, blocks, text);
}

// Announces and reports nothing: the result is one line.
int sketch_text(const Invocation& invocation, const GivenTexts& given, Reporter& reporter) {
  const auto source = make_text_source(given.texts);
  const auto sink = make_sink(invocation, *source, run_recipe(invocation.options));
  SketchRun job;
  job.source = source.get();
  job.sink = sink.get();
  job.stop = interrupted;
  const Summary summary = sketch_all(invocation.options, job);
  for (const std::string& warning : summary.warnings) reporter.warning(warning);
  return kExitOk;
}

int run_sketch(const Invocation& given, Reporter& reporter) {
  Invocation invocation = given;
  if (!invocation.has("output")) invocation.given["output"] = {"-"};
  if (const auto text = given_texts(invocation, "sketch", PipedText::kOneText, reporter)) return sketch_text(invocation, *text, reporter);
  const Options& options = invocation.options;
  RunPlan plan = plan_run(options);
  const auto source = open_inputs(invocation.arguments, options, plan, reporter);
  clean_if_html(invocation, *source, 0, plan, reporter);
  const Recipe& recipe = plan.recipe;
  check_effects(invocation, nullptr, input_kinds(*source));
  RunOutputs outputs(invocation, {"output"});
  outputs.check(*source);
  const auto sink = make_sink(invocation, *source, recipe);
  const std::unique_ptr<RejectSink> rejects = outputs.has("rejects") ? make_reject_sink(outputs.path("rejects"), *source) : nullptr;
  const auto [size, unit] = recipe.fingerprints() ? std::pair(recipe.bits, "bits") : std::pair(recipe.lanes, "lanes");
  reporter.start(fmt::format("recipe {}, {} {}, {}", recipe_label(recipe), size, unit, machine_label(plan, *source)),
                 fmt::format(R"("recipe":{},"recipe_id":"{:016x}","{}":{},{})", json_quote(recipe.name), recipe.id(), unit, size,
                             machine_json(plan, *source)));
  if (outputs.to_terminal()) reporter.share_terminal();
  SketchRun job;
  job.source = source.get();
  job.sink = sink.get();
  job.rejects = rejects.get();
  job.progress = [&](const Progress& progress) { reporter.progress(progress); };
  job.stop = interrupted;
  Summary summary = sketch_all(options, job);
  if (summary.short_texts > 0 && invocation.has("blocks")) {
    summary.warnings.push_back(fmt::format("{} too short for a fingerprint: no rows for {}", counted(summary.short_texts, "text"),
                                           summary.short_texts == 1 ? "it" : "them"));
  }
  if (summary.short_texts > 0 && is_array(outputs.path("output"))) {
    summary.warnings.push_back(fmt::format("{} too short for a sketch: a row of zeros stands for {}", counted(summary.short_texts, "text"),
                                           summary.short_texts == 1 ? "it" : "each"));
  }
  return outputs.finish(summary, reporter);
}

}  // namespace

const Command& sketch_command() {
  static const Command command{
      .name = "sketch",
      .sentence = "print the fingerprint or MinHash signature of each document: JSON Lines, a table, or an array",
      .usage = "INPUT... [-o SKETCHES] [options] | --text TEXT",
      .examples =
          "neardup sketch corpus.jsonl -o sketches.jsonl.zst\n"
          "neardup sketch --recipe simhash-words-3 --text 'one two three four'\n"
          "neardup sketch --recipe simhash-words-3 corpus.jsonl -o fingerprints.npy\n"
          "neardup sketch --recipe simhash-words-3 --fingerprint integer corpus.jsonl -o fingerprints.tsv\n"
          "neardup sketch --recipe simhash-words-3 --blocks 4x16 corpus.jsonl -o rows.tsv",
      .details =
          "The ending of FILE selects the format:\n"
          "  JSON Lines  recipe_id, source, row, id, exact (128-bit hash of the normalized text), features (distinct ones), too_short,\n"
          "              and fingerprint or signature, null for a text that is too short\n"
          "  .tsv        a table of id, source, row, and fingerprint or signature, empty for a text that is too short\n"
          "  .npy        an array for NumPy: uint64 of shape (n,), for 128 bits (n, 2) with the low half first; signatures are uint32 of\n"
          "              shape (n, lanes). A file, not compressed. Row i is document i, rejected records aside; a text that is too short\n"
          "              has a row of zeros, and they are counted\n"
          "  .bin        the same numbers without a header, lowest byte first\n"
          "With --blocks, a row for each block of each document instead: block, value, fingerprint, id; JSON Lines or .tsv. A database "
          "with\n"
          "an index over (block, value) then finds all within M - 1 bits by M lookups: neardup query --from-rows, docs/own-database.md.\n"
          "Two documents agree in a lane of the signature with a probability that is the Jaccard similarity of their features; two\n"
          "fingerprints differ in a bit with a probability that is the angle between the weighted features over 180 degrees.",
      .min_arguments = 0,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .reads_pipe = true,
      .options = with_run_options({
          essential({"-o,--output", "FILE", "Outputs", "the sketches; the ending .gz, .zst or .bz2 compresses [-, standard output]", false,
                     ".jsonl .ndjson .json .tsv .npy .bin"}),
          essential({"--text", "TEXT", "Inputs", "a text, instead of INPUT"}),
          essential({"--fingerprint", kFingerprintForms, "Outputs", "how fingerprints are written in lines of text [hex]"}),
          essential({"--blocks", "MxW", "Outputs",
                     "a row per block of a fingerprint: M blocks of W bits, or widths with commas, from the lowest bits"}),
      }),
      .run = run_sketch,
  };
  return command;
}

}  // namespace neardup::cli
