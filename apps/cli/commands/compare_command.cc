#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/commands/comparison_page.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/options/local_options.h"
#include "cli/read_text.h"
#include "cli/run/finished_run.h"
#include "cli/run/inputs.h"
#include "cli/run/labels.h"
#include "cli/terminal/say.h"
#include "neardup/compare.h"
#include "neardup/error.h"
#include "neardup/tools/find_document.h"
#include "neardup/tools/plan.h"
#include "neardup/tools/run_weights.h"
#include "neardup/tools/secrets.h"

namespace neardup::cli {
namespace {

constexpr size_t kPassages = 3;
constexpr size_t kWordsShown = 20;

struct NamedText {
  std::string name;
  std::string text;
  InputKinds kinds{};
};

// Words of the command line are UTF-8 like JSON Lines.
NamedText text_of(const Invocation& invocation, const RunPlan& plan, std::string_view option, size_t& next_argument, Reporter& reporter) {
  if (invocation.has(option)) return {fmt::format("--{}", option), invocation.value(option), {.lines = true}};
  if (next_argument == invocation.arguments.size()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("two texts are needed: neardup compare A B, or --text-a and --text-b; --{} is missing", option));
  }
  const std::string& path = invocation.arguments[next_argument++];
  if (const auto document = parse_document_name(path)) {
    FoundDocument found = find_document(*document, source_options(invocation.options, plan, reporter));
    return {document->row ? without_secrets(document->input) + ":" + std::to_string(*document->row) : document->id, std::move(found.text),
            found.kinds};
  }
  return {path, read_utf8(path, invocation.options.charset, reporter), {.texts = true}};
}

InputKinds both_kinds(const InputKinds& a, const InputKinds& b) {
  return {.lines = a.lines || b.lines,
          .texts = a.texts || b.texts,
          .archives = a.archives || b.archives,
          .tables = a.tables || b.tables,
          .databases = a.databases || b.databases};
}

bool is_page(std::string_view path) {
  return path.ends_with(".html") || path.ends_with(".htm") || path.ends_with(".xhtml");
}

void warn_of_markup(const Invocation& invocation, const Recipe& recipe, Reporter& reporter) {
  if (invocation.has("clean") || recipe.clean != "[]") return;
  const auto page = std::ranges::find_if(invocation.arguments, is_page);
  if (page == invocation.arguments.end()) return;
  reporter.warning(fmt::format("{}: input is HTML but recipe '{}' does not strip markup; use --clean html", *page, recipe.name));
}

// What --weights names: the weights of a finished run, and what it verified by.
struct GivenWeights {
  std::unique_ptr<const RunWeights> weights;
  Verify verify = Verify::kTrue;
};

// Changes the working directory, so all texts must have been read.
GivenWeights read_weights(const Invocation& invocation, const RunPlan& plan, Reporter& reporter) {
  if (!invocation.has("weights")) return {};
  const std::string& directory = invocation.value("weights");
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::kUsage, fmt::format("--weights: the run in '{}' {}", directory, why));
  };
  if (plan.recipe.fingerprints()) {
    throw Error(ErrorCode::kUsage, fmt::format("--weights has no effect here: recipe '{}' has weights of its own", plan.recipe.name));
  }
  if (invocation.options.measure == Measure::kContainment) {
    throw Error(ErrorCode::kUsage, "--weights: cannot be combined with --measure containment, which weighs nothing");
  }
  const FinishedRun run = open_finished_run(directory, reporter);
  const Options& options = run.invocation.options;
  if (!options.weighs_features() || run.plan.recipe.fingerprints()) {
    refuse("counted no features; runs with --verify weighted-jaccard or cosine and a MinHash recipe do");
  }
  if (!options.block_on.empty()) refuse("weighed features by block (--block-on); neardup explain compares its documents");
  if (run.plan.recipe.id() != plan.recipe.id()) {
    refuse(fmt::format("has weights for recipe {}, not for {}", recipe_label(run.plan.recipe), recipe_label(plan.recipe)));
  }
  return {std::make_unique<const RunWeights>(run.directory, run.plan.recipe), options.verify};
}

int run_compare(const Invocation& invocation, Reporter& reporter) {
  end_by_interrupts();
  const RunPlan plan = plan_run(invocation.options);
  if (invocation.has("top") && !plan.recipe.fingerprints()) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("--top has no effect here: recipe '{}' makes no fingerprints, and only those have weighted words", plan.recipe.name));
  }
  const uint64_t top = local_number(invocation, "top", kWordsShown, 0, 1'000'000);
  size_t next_argument = 0;
  const NamedText a = text_of(invocation, plan, "text-a", next_argument, reporter);
  const NamedText b = text_of(invocation, plan, "text-b", next_argument, reporter);
  check_effects(
      invocation,
      RunFacts{.plan = &plan, .inputs = both_kinds(a.kinds, b.kinds), .shows_presets = invocation.options.measure == Measure::kJaccard});
  if (next_argument != invocation.arguments.size()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' is one argument too many: two texts are compared", invocation.arguments[next_argument]));
  }
  warn_of_markup(invocation, plan.recipe, reporter);
  const Sketcher sketcher(plan.recipe);
  const GivenWeights given = read_weights(invocation, plan, reporter);
  const Comparison comparison = compare_texts(sketcher, a.text, b.text, kPassages, top, {.of_run = given.weights.get()});
  const Options& options = invocation.options;
  const bool contained = options.measure == Measure::kContainment;
  // The presets judge by similarity, or by distance.
  const auto presets = contained ? std::vector<PresetVerdict>() : preset_verdicts(a.text, b.text, options.threshold, options.max_distance);
  const DifferenceView differences(a.text, b.text);
  ComparisonPage page{a.name, b.name, comparison, plan, options.threshold, options.max_distance, presets, differences};
  page.verify = given.verify;
  if (contained) page.contained = comparison.contained(options);
  if (invocation.has("json")) {
    say_json(page.to_json());
  } else {
    say_styled(page.to_text(output_is_colored()));
  }
  return kExitOk;
}

}  // namespace

const Command& compare_command() {
  static const Command command{
      .name = "compare",
      .sentence = "measure two texts against each other in every way, and show what they share",
      .usage = "A B [options]",
      .examples =
          "neardup compare old.txt new.txt\n"
          "neardup compare --recipe chars-5 --text-a '今天天气很好' --text-b '今天天气真好'\n"
          "neardup compare corpus.jsonl#a1 corpus.jsonl#a2\n"
          "neardup compare --recipe simhash-words-3 --top 5 old.txt new.txt\n"
          "neardup compare old.txt new.txt --json | python3 -m json.tool",
      .details =
          "A and B are files, one of them may be - for standard input, or documents: FILE#ID, FILE:ROW, of any input of neardup dedup.\n"
          "Jaccard, containment and cosine are exact, over the sets of features; the estimate and the probability of being found are\n"
          "those of a run. A fingerprint recipe also shows the features as words with their weights, and both fingerprints with the\n"
          "bits that differ. With --weights RUN a MinHash recipe has weighted similarities, too, and the one that RUN verified by gives\n"
          "the verdict. Each preset gives its verdict at the same threshold and distance, except presets that weigh by the IDF of a\n"
          "corpus: two texts are not a corpus. With --measure containment the verdict says which text is contained in the other one.\n"
          "The differences are those of the original texts, word by word: red or [-...-] is only in A, green or {+...+} only in B.",
      .min_arguments = 0,
      .max_arguments = 2,
      .options = {essential({"--text-a", "TEXT", "Texts", "the first text, instead of a file"}),
                  essential({"--text-b", "TEXT", "Texts", "the second text, instead of a file"}),
                  essential({"--weights", "RUN", "Which texts match",
                             "checkpoint directory of a run with --verify weighted-jaccard or cosine: weigh features as it did, and "
                             "match by that"}),
                  essential({"--top", "N", "Output", "show the N heaviest words; fingerprint recipes only; 0: none [20]"}),
                  essential({"--json", "", "Output", "print JSON, with whole passages and all differences"})},
      .run = run_compare,
  };
  return command;
}

}  // namespace neardup::cli
