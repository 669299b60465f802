#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/commands/comparison_page.h"
#include "cli/explain/explain_source.h"
#include "cli/explain/explanation_page.h"
#include "cli/interrupt.h"
#include "cli/options/local_options.h"
#include "cli/terminal/difference_view.h"
#include "cli/terminal/say.h"
#include "cli/terminal/text_format.h"
#include "neardup/compare.h"
#include "neardup/error.h"
#include "neardup/tools/run_recipe.h"
#include "neardup/tools/run_sketcher.h"
#include "neardup/tools/run_weights.h"

namespace neardup::cli {
namespace {

constexpr size_t kNearestIds = 3;
constexpr size_t kPlacesShown = 5;
constexpr uint64_t kMembersShown = 5;
constexpr uint64_t kMaxMembers = 1'000'000;
constexpr size_t kSharedPassages = 3;
constexpr size_t kHeaviestWords = 20;

std::unique_ptr<ExplainSource> open_explained(const Invocation& invocation, Reporter& reporter) {
  const std::string& from = invocation.arguments.front();
  const std::vector<std::string> inputs(invocation.arguments.begin() + 2, invocation.arguments.end());
  std::error_code error;
  if (!std::filesystem::is_directory(from, error)) return explain_verdicts(from, invocation.options, inputs, reporter);
  refuse_table_options(invocation, "explain RUN", {});
  if (!inputs.empty()) {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' is one argument too many: the run in '{}' has its inputs", inputs.front(), from));
  }
  return explain_run(open_finished_run(from, reporter));
}

struct NamedPlace {
  std::string source;
  uint64_t row = 0;
};

// SOURCE:ROW
std::optional<NamedPlace> place_of(const std::string& name) {
  const size_t colon = name.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  NamedPlace place{.source = name.substr(0, colon)};
  const auto [end, error] = std::from_chars(name.data() + colon + 1, name.data() + name.size(), place.row);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return place;
}

// "a", "a or b", "a, b or c"
std::string one_of(const std::vector<std::string>& names) {
  if (names.size() == 1) return names.front();
  return fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

[[noreturn]] void refuse_name(const ExplainSource& source, const std::string& from, const std::string& name) {
  std::vector<std::string> near;
  for (const std::string& id : source.nearest(name, kNearestIds)) near.push_back(fmt::format("'{}'", id));
  throw Error(ErrorCode::kUsage,
              fmt::format("no document in '{}' has the id or the place SOURCE:ROW '{}'{} Rejected records and documents of a reference "
                          "corpus have no verdict",
                          from, name, near.empty() ? "." : fmt::format("; did you mean {}?", one_of(near))));
}

// An id comes before a place of the same name.
Explained find_document(const ExplainSource& source, const std::string& from, const std::string& name) {
  std::vector<Explained> found = source.find(name, kPlacesShown + 1);
  if (found.size() == 1) return std::move(found.front());
  if (found.empty()) {
    if (const auto place = place_of(name)) {
      if (auto document = source.find_place(place->source, place->row)) return std::move(*document);
    }
    refuse_name(source, from, name);
  }
  std::vector<std::string> places;
  for (const Explained& each : found) {
    if (places.size() < kPlacesShown) places.push_back(fmt::format("{}:{}", each.line.source, each.line.row));
  }
  throw Error(ErrorCode::kUsage,
              fmt::format("{} documents have the id '{}': {}{}; name one of them by its place",
                          found.size() > kPlacesShown ? fmt::format("more than {}", kPlacesShown) : std::to_string(found.size()), name,
                          fmt::join(places, ", "), found.size() > kPlacesShown ? " and others" : ""));
}

struct TextPair {
  std::string removed;
  std::string keeper;
  std::string block;  // of both
};

TextPair read_pair(const ExplainSource& source, const Explained& document) {
  const std::vector<TextPlace> places{document.text, *document.keeper};
  TextPair pair;
  source.texts().read(places, [&](size_t place, const Record& record) {
    (place == 0 ? pair.removed : pair.keeper) = record.text;
    if (place == 0) pair.block = record.block;
  });
  return pair;
}

std::string name_of(const std::string& id, bool has_id, const std::string& source, uint64_t row) {
  return has_id && !id.empty() ? id : fmt::format("{}:{}", source, row);
}

// The texts as they are now, under the options as they are given, must give the similarity of the verdict.
void check_similarity(const ExplainSource& source, const Explained& document, const Comparison& comparison, Reporter& reporter) {
  const VerdictLine& line = document.line;
  const std::string how = source.directory().empty() ? "give the options of the run, such as --recipe" : "the texts changed since the run";
  if (line.reason == "exact_copy") {
    if (!comparison.exact_copy) reporter.warning(fmt::format("the texts are not copies of each other now; {}", how));
    return;
  }
  const Verify verify = source.options().verify;
  const bool near = line.reason == "near_duplicate";
  const bool jaccard = near && source.plan().fingerprint_bits == 0 && verify == Verify::kTrue;
  const bool weighted = near && source.options().weighs_features() && comparison.weighted;
  if (!jaccard && !weighted && line.reason != "contained") return;
  const double now = comparison.exact_copy ? 1
                     : weighted            ? comparison.weighted_similarity(verify)
                     : jaccard             ? comparison.jaccard()
                                           : comparison.containment_of_a();
  constexpr double kMillion = 1e6;
  if (std::lround(now * kMillion) == line.similarity_millionths) return;
  reporter.warning(
      fmt::format("the similarity is {:.6f} now, and was {:.6f} in the run; {}", now, line.similarity_millionths / kMillion, how));
}

void print(const ExplanationPage& page, bool json) {
  if (json) {
    say_json(page.to_json());
  } else {
    say_styled(page.to_text(output_is_colored()));
  }
}

// Null if the run did not weigh features, or if its weights are not to be had, which a warning says.
std::unique_ptr<const RunWeights> weights_of(const ExplainSource& source, Reporter& reporter) {
  const Options& options = source.options();
  if (!options.weighs_features() || source.plan().recipe.fingerprints()) return nullptr;
  if (source.directory().empty()) {
    reporter.warning("weighted similarities are missing: only the checkpoint directory of the run has the weights");
    return nullptr;
  }
  return std::make_unique<const RunWeights>(source.directory(), run_recipe(options));
}

void compare_pair(const ExplainSource& source, ExplanationPage& page, const TextPair& pair, bool json, Reporter& reporter) {
  const Options& options = source.options();
  const RunSketcher sketcher(source.directory(), run_recipe(options));
  RunPlan plan = source.plan();
  plan.recipe = sketcher.get().recipe();  // with the id of its fitted table
  const auto meet = [&](const Sketcher& with) {
    page.meetings.push_back(find_meeting(with, pair.removed, pair.keeper, plan.bands, plan.rows_per_band, options.max_distance));
  };
  meet(sketcher.get());
  if (const auto also = run_also(options)) meet(RunSketcher(source.directory(), *also, RunSketcher::Which::kAlso).get());
  const auto run_weights = weights_of(source, reporter);
  ComparedWeights weights{.of_run = run_weights.get()};
  if (!options.block_on.empty()) weights.block = pair.block;
  const Comparison comparison = compare_texts(sketcher.get(), pair.removed, pair.keeper, kSharedPassages, kHeaviestWords, weights);
  const VerdictLine& line = page.document.line;
  check_similarity(source, page.document, comparison, reporter);
  const std::vector<PresetVerdict> presets;
  const DifferenceView differences(pair.removed, pair.keeper);
  ComparisonPage compared{name_of(line.id, line.has_id, line.source, line.row),
                          name_of(line.keeper_id, line.keeper_has_id, line.keeper_source, line.keeper_row),
                          comparison,
                          plan,
                          options.threshold,
                          options.max_distance,
                          presets,
                          differences};
  if (options.measure == Measure::kContainment) compared.contained = comparison.contained(options);
  compared.verify = options.verify;
  page.comparison = &compared;
  page.changes = change_places(pair.removed, pair.keeper, differences.alignment());
  print(page, json);
}

int run_explain(const Invocation& invocation, Reporter& reporter) {
  end_by_interrupts();
  const std::string from = invocation.arguments[0];
  const bool json = invocation.has("json");
  const uint64_t most = local_number(invocation, "members", kMembersShown, 0, kMaxMembers);
  const auto source = open_explained(invocation, reporter);
  const Explained document = find_document(*source, from, invocation.arguments[1]);
  ExplanationPage page{.document = document, .options = source->options(), .plan = source->plan()};
  page.members = source->members(document, most);
  if (!document.line.removed) {
    print(page, json);
    return kExitOk;
  }
  if (!document.keeper) {
    page.problem = "The keeper is the entry of an index, which has no text to compare with.";
    print(page, json);
    return kExitOk;
  }
  // The verdict itself is known, whatever became of the texts.
  std::optional<TextPair> pair;
  try {
    pair = read_pair(*source, document);
  } catch (const Error& error) {
    page.problem = fmt::format("The texts cannot be compared: {}", error.what());
    print(page, json);
    throw;
  }
  compare_pair(*source, page, *pair, json, reporter);
  return kExitOk;
}

}  // namespace

const Command& explain_command() {
  static const Command command{
      .name = "explain",
      .sentence = "show why a run kept or removed a document: its keeper, what both share and where they differ",
      .usage = "RUN|VERDICTS ID [INPUT...] [options]",
      .examples =
          "neardup explain run a2\n"
          "neardup explain run corpus.jsonl:2 --members 20\n"
          "neardup explain verdicts.tsv a2 --recipe chars-5\n"
          "neardup explain run a2 --json | python3 -m json.tool",
      .details =
          "RUN is the checkpoint directory of a finished run (neardup dedup --work RUN), which knows its options and inputs. VERDICTS\n"
          "is a file of neardup dedup --verdicts; with it, give the options of the run, and as INPUT its databases, whose passwords the\n"
          "file does not have. ID is an id, or SOURCE:ROW as in a verdict file. The texts are read again: of a plain file only two lines,\n"
          "of a database only two documents.",
      .min_arguments = 2,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .options = {essential({"--members", "N", "Output", "show N of the documents that were removed because of the same keeper [5]"}),
                  essential({"--json", "", "Output", "print JSON, with whole passages"})},
      .run = run_explain,
  };
  return command;
}

}  // namespace neardup::cli
