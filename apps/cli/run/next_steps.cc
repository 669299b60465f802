#include "cli/run/next_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/terminal/text_format.h"

namespace neardup::cli {
namespace {

// A name that jq takes as it is.
bool is_plain_field(const std::string& field) {
  return !field.empty() && std::isdigit(static_cast<unsigned char>(field.front())) == 0 &&
         std::ranges::all_of(field, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// The words that give the text of a document to 'neardup compare'; empty if no short ones do: a database, a table, an entry of an index.
std::string text_words(const NamedDocument& document, const Options& options) {
  const auto ends = [&](auto... endings) { return (document.source.ends_with(endings) || ...); };
  if (document.id == document.source && document.row == 1)  // a text file
    return ends(".gz", ".zst", ".bz2") ? std::string() : shell_word(document.source);
  if (!ends(".jsonl", ".ndjson") || options.text_field.size() != 1 || !is_plain_field(options.text_field.front())) return {};
  return fmt::format("<(sed '{}q;d' {} | jq -r .{})", document.row, shell_word(document.source), options.text_field.front());
}

// Compares the first pair whose texts can be named, by the recipe and the bounds of the run, so that it says the same.
std::string comparison(const Invocation& invocation, const Summary& summary) {
  for (const RemovedPair& pair : summary.least_similar) {
    const std::string removed = text_words(pair.removed, invocation.options);
    const std::string keeper = text_words(pair.keeper, invocation.options);
    if (removed.empty() || keeper.empty()) continue;
    std::string command = fmt::format("neardup compare {} {}", removed, keeper);
    if (!invocation.has("recipe") && !invocation.has("clean") && summary.recipe_name != Options().recipe)  // of pages of HTML
      command += fmt::format(" --recipe {}", shell_word(summary.recipe_name));
    for (const std::string_view option : {"recipe", "clean", "threshold", "max-distance", "charset"}) {
      if (invocation.has(option)) command += fmt::format(" --{} {}", option, shell_word(invocation.value(option)));
    }
    return command;
  }
  return {};
}

}  // namespace

std::string next_steps(const Invocation& invocation, const Summary& summary) {
  std::string steps;
  if (summary.removed > 0) {
    if (!invocation.has("verdicts") && !invocation.has("annotate")) {
      steps += "next: --verdicts FILE.tsv writes which kept document each removed one matches\n";
    } else if (const std::string command = comparison(invocation, summary); !command.empty()) {
      steps += fmt::format("next: {}\n", command);
    }
  }
  if (summary.rejected > 0 && !invocation.has("rejects")) steps += "next: --rejects FILE writes the rejected records\n";
  return steps;
}

}  // namespace neardup::cli
