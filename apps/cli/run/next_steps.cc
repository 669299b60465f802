#include "cli/run/next_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/terminal/text_format.h"
#include "neardup/io.h"

namespace neardup::cli {
namespace {

// A name that jq takes as it is.
bool is_plain_field(const std::string& field) {
  return !field.empty() && std::isdigit(static_cast<unsigned char>(field.front())) == 0 &&
         std::ranges::all_of(field, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// A name of a file as a word that no program takes for an option.
std::string file_word(const std::string& file) {
  return shell_word(file.starts_with('-') ? "./" + file : file);
}

// The words that give the text of a document to 'neardup compare'; empty if no short ones do: a database, a table, an entry of an index.
std::string text_words(const NamedDocument& document, const Options& options) {
  if (is_uri(document.source)) return {};
  const auto ends = [&](auto... endings) { return (document.source.ends_with(endings) || ...); };
  if (document.id == document.source && document.row == 1)  // a text file
    return ends(".gz", ".zst", ".bz2") ? std::string() : file_word(document.source);
  if (!ends(".jsonl", ".ndjson") || options.text_field.size() != 1 || !is_plain_field(options.text_field.front())) return {};
  return fmt::format("<(sed '{}q;d' {} | jq -r .{})", document.row, file_word(document.source), options.text_field.front());
}

// The options by which 'neardup compare' judges two texts as the run did.
std::string same_options(const Invocation& invocation, const Recipe& recipe) {
  std::string words;
  const auto add = [&](std::string_view option, const std::string& value) { words += fmt::format(" --{} {}", option, shell_word(value)); };
  const auto add_given = [&](std::string_view option) {
    if (invocation.has(option)) add(option, invocation.value(option));
  };
  add_given("recipe");
  if (!invocation.options.clean.empty()) add("clean", invocation.options.clean);  // the run may have chosen it
  for (const std::string_view option : {"measure", "min-contained", "min-jaccard"}) add_given(option);
  add_given(recipe.fingerprints() ? "max-distance" : "threshold");
  add_given("charset");
  return words;
}

// Compares the first pair whose texts can be named. A recipe that is fitted on a corpus cannot compare two texts.
std::string comparison(const Invocation& invocation, const Recipe& recipe, const Summary& summary) {
  if (recipe.needs_fitting()) return {};
  for (const RemovedPair& pair : summary.least_similar) {
    const std::string removed = text_words(pair.removed, invocation.options);
    const std::string keeper = text_words(pair.keeper, invocation.options);
    if (removed.empty() || keeper.empty()) continue;
    return fmt::format("neardup compare {} {}{}", removed, keeper, same_options(invocation, recipe));
  }
  return {};
}

}  // namespace

std::string next_steps(const Invocation& invocation, const Recipe& recipe, const Summary& summary) {
  std::string steps;
  if (summary.removed > 0) {
    if (!invocation.has("verdicts") && !invocation.has("annotate")) {
      steps += "next: --verdicts FILE.tsv writes which kept document each removed one matches\n";
    } else if (const std::string command = comparison(invocation, recipe, summary); !command.empty()) {
      steps += fmt::format("next: {}\n", command);
    }
  }
  if (summary.rejected > 0 && !invocation.has("rejects")) steps += "next: --rejects FILE writes the rejected records\n";
  return steps;
}

}  // namespace neardup::cli
