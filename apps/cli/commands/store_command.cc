#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "cli/commands/commands.h"
#include "cli/options/local_options.h"
#include "cli/options/suggest.h"
#include "cli/store/store_verbs.h"
#include "neardup/error.h"

namespace neardup::cli {
namespace {

constexpr size_t kAnyNumber = std::numeric_limits<size_t>::max();

struct StoreVerb {
  std::string_view name;
  std::string_view usage;
  std::string_view options;  ///< that it takes in addition to --log-format, --progress and --quiet, with blanks around each
  size_t min_arguments;      ///< after the store
  size_t max_arguments;
  int (*run)(const StoreJob&, Reporter&);
};

#define NEARDUP_READING                                                                                                               \
  " format text-field id-field charset max-record-bytes max-rejects strict where key duckdb-library memory threads temp-dir rejects " \
  "summary metrics verbose sync-interval "
constexpr std::array kStoreVerbs{
    StoreVerb{"build", "STORE [INPUT...]",
              " recipe threshold miss-probability bands rows-per-band max-distance min-length ttl no-texts output" NEARDUP_READING, 0,
              kAnyNumber, build_store},
    StoreVerb{"check", "STORE INPUT...", " recipe no-insert replace-stored touch output" NEARDUP_READING, 1, kAnyNumber, check_store},
    StoreVerb{"delete", "STORE ID... | STORE --ids FILE", " recipe ids strict threads ", 0, kAnyNumber, delete_from_store},
    StoreVerb{"stat", "STORE", " recipe json threads ", 0, 0, show_store},
    StoreVerb{"verify", "STORE", " recipe threads ", 0, 0, verify_store},
    StoreVerb{"export", "STORE -o FILE", " recipe output threads ", 0, 0, export_store},
    StoreVerb{"compact", "STORE", " recipe threads ", 0, 0, compact_store},
    StoreVerb{"copy", "STORE FOLDER", " recipe threads ", 1, 1, copy_store},
    StoreVerb{"repair", "STORE", " recipe threads ", 0, 0, repair_store},
};
#undef NEARDUP_READING

const StoreVerb& store_verb(const std::string& name) {
  const auto* const found = std::ranges::find(kStoreVerbs, name, &StoreVerb::name);
  if (found != kStoreVerbs.end()) return *found;
  std::vector<std::string> names;
  names.reserve(kStoreVerbs.size());
  for (const StoreVerb& verb : kStoreVerbs) names.emplace_back(verb.name);
  throw Error(ErrorCode::kUsage, expected_name(names, name));
}

int run_store(const Invocation& invocation, Reporter& reporter) {
  const auto& words = invocation.arguments;
  const StoreVerb& verb = store_verb(words.front());
  if (words.size() < 2) throw Error(ErrorCode::kUsage, fmt::format("no store is named: neardup store {} {}", verb.name, verb.usage));
  for (const auto& [name, values] : invocation.given) {
    if (name == "log-format" || name == "progress" || name == "quiet") continue;
    if (verb.options.find(fmt::format(" {} ", name)) == std::string_view::npos)
      throw Error(ErrorCode::kUsage, fmt::format("neardup store {} takes no --{}", verb.name, name));
  }
  const size_t arguments = words.size() - 2;
  if (arguments < verb.min_arguments || arguments > verb.max_arguments) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} after the store: neardup store {} {}",
                            arguments < verb.min_arguments ? "an argument is missing" : "too many arguments", verb.name, verb.usage));
  }
  return verb.run({.invocation = invocation, .folder = words[1], .arguments = std::vector<std::string>(words.begin() + 2, words.end())},
                  reporter);
}

}  // namespace

const Command& store_command() {
  static const Command command{
      .name = "store",
      .sentence = "keep what is new in a stream of texts, for ever, and say what the rest resembles",
      .usage = "build|check STORE INPUT... | delete STORE ID... | stat|verify|export|compact|copy|repair STORE",
      .examples =
          "neardup store build seen corpus.jsonl --recipe words-5 --threshold 0.8\n"
          "neardup store check seen day2.jsonl -o verdicts.jsonl\n"
          "neardup store check seen question.jsonl --no-insert -o -\n"
          "neardup store delete seen doc-17\n"
          "neardup store export seen -o kept.jsonl",
      .details =
          "build    makes a store; documents of the inputs are checked and inserted as by check. Without inputs it is empty\n"
          "check    asks about each document, in order, and inserts it unless a stored one matches it: the verdicts are those of neardup\n"
          "         dedup --max-candidates 0 on the same documents. -o writes a line a document. What an answer says is on the disk "
          "before\n"
          "         it is written. With the id and text of a stored document the answer is 'repeated'; with another text it is refused\n"
          "delete   forgets documents; what they removed stays removed\n"
          "stat     prints the contents; --json for programs\n"
          "verify   reads everything, and compares the tables with the records\n"
          "export   writes the stored documents as JSON Lines, in the order of their insertion\n"
          "compact  drops what deleted and expired documents left, and makes one segment of all\n"
          "copy     makes a copy in a new folder, which shares files that never change\n"
          "repair   makes the tables again from the records\n"
          "One process at a time writes a store, any number read it. docs/online.md",
      .min_arguments = 1,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .lacks_input =
          [](const Invocation& invocation) { return invocation.arguments.size() == 2 && invocation.arguments.front() == "check"; },
      .options = with_run_options({
          essential({"--ttl", "TIME", "Inputs", "of a new store: documents are forgotten this long after insertion: 90s, 36h, 7d [never]"}),
          {"--no-texts", "", "Inputs", "of a new store: keep features instead of texts; they cannot be exported then"},
          essential({"--no-insert", "", "Inputs", "only ask; nothing is inserted"}),
          {"--replace-stored", "", "Inputs", "a document with the id of a stored one and another text replaces it"},
          {"--touch", "", "Inputs", "a duplicate renews the time after which its keeper is forgotten"},
          {"--sync-interval", "TIME", "The machine",
           "sync at this interval, such as 500ms, instead of before every answer; a power loss takes the last answers"},
          essential({"--ids", "FILE", "Inputs", "ids to delete, one per line; - is standard input"}),
          essential(
              {"-o,--output", "FILE", "Outputs", "the answers, or the exported documents, as JSON Lines", false, ".jsonl .ndjson .json"}),
          essential({"--json", "", "Report", "print stat as JSON"}),
      }),
      .run = run_store,
  };
  return command;
}

}  // namespace neardup::cli
