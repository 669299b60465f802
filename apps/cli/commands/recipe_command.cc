#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/terminal/say.h"
#include "neardup/error.h"
#include "neardup/recipe.h"

namespace neardup::cli {
namespace {

// The members of a JSON object, one a line. Canonical JSON has no white space between them.
void say_members(std::string_view json) {
  int depth = 0;
  bool quoted = false;
  size_t begin = 1;
  for (size_t at = 1; at < json.size(); ++at) {
    const char byte = json[at];
    if (quoted) {
      at += byte == '\\';
      quoted = byte != '"';
      continue;
    }
    quoted = byte == '"';
    depth += (byte == '{' || byte == '[') - (byte == '}' || byte == ']');
    if ((byte != ',' || depth != 0) && depth >= 0) continue;
    const std::string_view member = json.substr(begin, at - begin);
    const size_t colon = member.find(':');
    say("  {:<13} {}\n", member.substr(1, colon - 2), member.substr(colon + 1));
    begin = at + 1;
  }
}

// A short description of a recipe.
std::string described(const Recipe& recipe) {
  return recipe.fingerprints() ? fmt::format("fingerprints of {} bits", recipe.bits) : fmt::format("MinHash of {} lanes", recipe.lanes);
}

struct Purpose {
  std::string_view preset;
  std::string_view text;
};

// The purpose of each preset, shorter than in docs/recipe.md.
constexpr Purpose kPurposes[] = {
    {"words-5", "the default: most text; ignores punctuation, case and spacing"},
    {"chars-5", "texts of a few words, codes, OCR"},
    {"code-5", "source code of any language; comments and layout do not count"},
    {"code-5-renamed", "the same; names, numbers and strings do not count either: copies in disguise"},
    {"record-chars-2", "titles and other short records, which match only with the same numbers; threshold 0.5"},
    {"record-words-1", "the same by words, for records without spelling mistakes"},
    {"html-words-5", "words-5 over the visible text of HTML; the default for pages and crawl archives"},
    {"html-chars-5", "chars-5 over the visible text of HTML"},
    {"minhash-chars-3", "short Chinese texts with many edits"},
    {"minhash-jieba-3", "Chinese, by shingles of words"},
    {"simhash-words-3", "near copies in any language; ignores punctuation, case and spacing"},
    {"simhash-chars-3", "near copies in any language; punctuation counts"},
    {"simhash-chars-4", "near copies in any language, the fastest"},
    {"simhash-words", "near copies of English text, by TF-IDF of the corpus"},
    {"simhash-jieba-200", "Chinese, by the 200 heaviest keywords"},
    {"simhash-jieba-30", "Chinese pages, by the 30 heaviest keywords without tags"},
    {"python-simhash-text", "the bits of the Python package simhash: Simhash(text)"},
    {"python-simhash-tokens", "the bits of the Python package simhash: Simhash(list(jieba.cut(text)))"},
    {"python-simhash-keywords", "the bits of the Python package simhash, from the keywords of extract_tags"},
};

std::string_view purpose_of(std::string_view preset) {
  const auto* const found =
      std::find_if(std::begin(kPurposes), std::end(kPurposes), [&](const Purpose& row) { return row.preset == preset; });
  return found == std::end(kPurposes) ? std::string_view() : found->text;
}

void list() {
  size_t width = 0;
  for (const std::string_view name : Recipe::preset_names()) width = std::max(width, name.size());
  for (const std::string_view name : Recipe::preset_names()) {
    try {
      const Recipe recipe = Recipe::load(std::string(name));
      say("{:<{}}  {:016x}  {}: {}\n", name, width, recipe.id(), described(recipe), purpose_of(name));
    } catch (const Error& error) {
      say("{:<{}}  {:<16}  {}\n", name, width, "-", error.what());  // its dictionary is missing
    }
  }
}

int run_recipe(const Invocation& invocation, Reporter&) {
  end_by_interrupts();
  if (invocation.has("list")) {
    if (!invocation.arguments.empty()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("--list lists all presets; without it, neardup recipe {} prints that one", invocation.arguments.front()));
    }
    if (invocation.has("json")) throw Error(ErrorCode::kUsage, "--json prints one recipe: neardup recipe PRESET|FILE --json");
    list();
    return kExitOk;
  }
  if (invocation.arguments.empty()) throw Error(ErrorCode::kUsage, "no recipe is named: give a preset or a file, or --list");
  const Recipe recipe = Recipe::load(invocation.arguments.front());
  const std::string json = recipe.canonical_json();
  say_json(json + "\n");
  if (invocation.has("json")) return kExitOk;
  say("id {:016x}{}\n", recipe.id(), recipe.needs_fitting() ? " until its IDF is fitted on a corpus" : "");
  say("{}\n", described(recipe));
  say_members(json);
  return kExitOk;
}

}  // namespace

const Command& recipe_command() {
  static const Command command{
      .name = "recipe",
      .sentence = "print a recipe in its canonical form, and its id; equal ids mean equal sketches",
      .usage = "PRESET|FILE | --list",
      .examples =
          "neardup recipe --list\n"
          "neardup recipe words-5\n"
          "neardup recipe words-5 --json > mine.json   # to begin one of your own",
      .min_arguments = 0,
      .max_arguments = 1,
      .options = {essential({"--list", "", "Output", "the presets: id, kind of sketch and purpose, or why one cannot be used here"}),
                  essential({"--json", "", "Output", "print only the JSON"})},
      .run = run_recipe,
  };
  return command;
}

}  // namespace neardup::cli
