#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "cli/commands/commands.h"
#include "cli/index/clue_verbs.h"
#include "cli/index/index_store.h"
#include "cli/index/index_verbs.h"
#include "cli/options/fingerprint_options.h"
#include "cli/options/local_options.h"
#include "cli/options/suggest.h"
#include "neardup/error.h"

namespace neardup::cli {
namespace {

using RunVerb = int (*)(const IndexJob&, Reporter&);

struct Verb {
  std::string_view name;
  std::string_view usage;
  std::string_view options;       ///< that it takes in addition to --log-format, --progress and --quiet, with blanks around each
  std::string_view clue_options;  ///< the same for a clue index
  size_t min_arguments;           ///< after the index
  size_t max_arguments;
  RunVerb run;
  RunVerb run_clue;  ///< for a clue index
};

constexpr size_t kAny = std::numeric_limits<size_t>::max();
constexpr std::array kVerbs{
    Verb{"build", "INDEX INPUT...",
         " kind recipe clean max-distance format text-field id-field charset max-record-bytes max-rejects strict memory threads temp-dir "
         "rejects summary from-fingerprints fingerprint-format bits verbose ",
         " kind min-run fold-han texts format text-field id-field charset max-record-bytes max-rejects strict memory threads temp-dir "
         "rejects "
         "summary where key duckdb-library metrics verbose ",
         1, kAny, build_index, build_clue_index},
    Verb{"add", "INDEX INPUT...",
         " recipe clean format text-field id-field charset max-record-bytes max-rejects strict memory threads temp-dir rejects summary "
         "from-fingerprints "
         "fingerprint-format verbose ",
         " format text-field id-field charset max-record-bytes max-rejects strict memory threads temp-dir rejects summary where key "
         "duckdb-library metrics verbose ",
         1, kAny, add_to_index, add_to_clue_index},
    Verb{"delete", "INDEX ID... | INDEX --ids FILE", " ids strict memory threads temp-dir ", " ids strict memory threads temp-dir ", 0,
         kAny, delete_from_index, delete_from_clue_index},
    Verb{"merge", "INDEX", " segments memory threads temp-dir ", " segments memory threads temp-dir ", 0, 0, merge_index, merge_clue_index},
    Verb{"stat", "INDEX", " json ", " json ", 0, 0, show_index, show_clue_index},
    Verb{"verify", "INDEX", " threads ", " threads ", 0, 0, verify_index, verify_clue_index},
};

const Verb& verb_of(const std::string& name) {
  const auto* const found = std::ranges::find(kVerbs, name, &Verb::name);
  if (found == kVerbs.end()) {
    std::vector<std::string> names;
    names.reserve(kVerbs.size());
    for (const Verb& verb : kVerbs) names.emplace_back(verb.name);
    throw Error(ErrorCode::kUsage, expected_name(names, name));
  }
  return *found;
}

// That of --kind for a new index, else that of the folder. A folder without an index is left to the verb, which says so.
IndexKind kind_of(const Verb& verb, const Invocation& invocation, const std::string& folder) {
  if (verb.name != "build") return is_clue_index(folder) ? IndexKind::kClue : IndexKind::kHamming;
  const std::string kind = invocation.value("kind", "fingerprints");
  if (kind == "fingerprints") return IndexKind::kHamming;
  if (kind == "clue") return IndexKind::kClue;
  throw Error(ErrorCode::kUsage, fmt::format("--kind: {}", expected_name({"fingerprints", "clue"}, kind)));
}

bool lists(std::string_view options, std::string_view name) {
  return options.find(fmt::format(" {} ", name)) != std::string_view::npos;
}

void check(const Verb& verb, const Invocation& invocation, IndexKind kind, size_t arguments) {
  const bool clue = kind == IndexKind::kClue;
  for (const auto& [name, values] : invocation.given) {
    if (name == "log-format" || name == "progress" || name == "quiet" || lists(clue ? verb.clue_options : verb.options, name)) continue;
    const bool other = lists(clue ? verb.options : verb.clue_options, name);
    throw Error(ErrorCode::kUsage, fmt::format("neardup index {} takes no --{}{}", verb.name, name,
                                               !other ? ""
                                               : clue ? " for a clue index: it is for fingerprints"
                                                      : " for an index of fingerprints: it is for a clue index (--kind clue)"));
  }
  if (arguments >= verb.min_arguments && arguments <= verb.max_arguments) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("{} after the index: neardup index {} {}",
                          arguments < verb.min_arguments ? "an input is missing" : "too many arguments", verb.name, verb.usage));
}

int run_index(const Invocation& invocation, Reporter& reporter) {
  const auto& words = invocation.arguments;
  const Verb& verb = verb_of(words.front());
  if (words.size() < 2) throw Error(ErrorCode::kUsage, fmt::format("no index is named: neardup index {} {}", verb.name, verb.usage));
  const IndexKind kind = kind_of(verb, invocation, words[1]);
  check(verb, invocation, kind, words.size() - 2);
  const IndexJob job{.invocation = invocation,
                     .verb = std::string(verb.name),
                     .folder = words[1],
                     .arguments = std::vector<std::string>(words.begin() + 2, words.end())};
  return kind == IndexKind::kClue ? verb.run_clue(job, reporter) : verb.run(job, reporter);
}

}  // namespace

const Command& index_command() {
  static const Command command{
      .name = "index",
      .sentence = "store the fingerprints or the texts of a corpus in a folder, to look up new texts or passages later",
      .usage = "build|add INDEX INPUT... | delete INDEX ID... | merge|stat|verify INDEX",
      .examples =
          "neardup index build seen corpus.jsonl --recipe simhash-words-3 --max-distance 3\n"
          "neardup index add seen day2.jsonl\n"
          "neardup index delete seen doc-17 doc-18\n"
          "neardup index build codes fingerprints.npy --from-fingerprints --max-distance 4\n"
          "neardup index build texts corpus.jsonl --kind clue\n"
          "neardup index stat seen",
      .details =
          "build   makes a folder with the fingerprints of all documents, by a fingerprint recipe; --max-distance is the largest that\n"
          "        queries may use. Documents that are too short for a fingerprint are counted and left out. With --kind clue it stores\n"
          "        texts, in which neardup search finds passages: docs/search.md. The other verbs take an index of either kind\n"
          "add     adds documents, by the recipe of the index, as one more segment, without checking for existing ids\n"
          "delete  removes all documents with these ids; --ids reads them from a file, one a line\n"
          "merge   makes one segment of all, without removed entries; queries are faster then\n"
          "stat    prints the contents; --json for programs\n"
          "verify  checks every block of every file; names the first damaged block and exits with code 1\n"
          "One process at a time writes an index, any number query it: neardup query, neardup dedup --against. docs/index-folders.md",
      .min_arguments = 1,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .lacks_input =
          [](const Invocation& invocation) {
            const auto& words = invocation.arguments;
            return words.size() == 2 && (words.front() == "build" || words.front() == "add");
          },
      .options = with_run_options({
          essential({"--kind", "fingerprints|clue", "Inputs", "of a new index: clue stores texts for neardup search [fingerprints]"}),
          {"--min-run", "N", "Inputs",
           "of a clue index: clues of N Latin characters, N/2 ideographs, are found for certain (8 to 256) [23]"},
          {"--fold-han", "", "Inputs", "of a clue index: traditional Chinese characters match simplified ones"},
          {"--texts", "keep|refer", "Inputs", "of a clue index: keep copies, or refer to the inputs, which must not change then [keep]"},
          essential(
              {"--from-fingerprints", "", "Inputs", "INPUT holds fingerprints from neardup sketch: JSON Lines, a table, .npy or .bin"}),
          {"--fingerprint-format", kFingerprintForms, "Inputs", "how they are written in lines of text [hex]"},
          {"--bits", "64|128", "Inputs", "bits of the given fingerprints, without --recipe [64]"},
          essential({"--ids", "FILE", "Inputs", "ids to delete, one per line; - is standard input"}),
          {"--segments", "N", "Outputs", "merge until at most N segments are left [1]"},
          essential({"--json", "", "Report", "print stat as JSON"}),
      }),
      .run = run_index,
  };
  return command;
}

}  // namespace neardup::cli
