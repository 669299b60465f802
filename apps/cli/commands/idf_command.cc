#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/options/local_options.h"
#include "cli/options/suggest.h"
#include "cli/read_text.h"
#include "cli/run/html_recipe.h"
#include "cli/run/inputs.h"
#include "cli/run/labels.h"
#include "cli/run/outputs.h"
#include "cli/terminal/say.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/frequencies.h"

namespace neardup::cli {
namespace {

uint32_t min_documents(const Invocation& invocation) {
  return static_cast<uint32_t>(local_number(invocation, "min-documents", 1, 1, std::numeric_limits<uint32_t>::max()));
}

// An option of only one of the three verbs is an error with the others, not ignored.
void refuse(const Invocation& invocation, std::string_view verb, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (invocation.has(name)) throw Error(ErrorCode::kUsage, fmt::format("neardup idf {} takes no --{}", verb, name));
  }
}

void require_output(const Invocation& invocation) {
  if (!invocation.has("output")) throw Error(ErrorCode::kUsage, "-o IDF is missing: the file to write");
  if (invocation.value("output") == "-") throw Error(ErrorCode::kUsage, "--output: a table goes to a file, not to standard output");
  if (invocation.value("words") == "-") throw Error(ErrorCode::kUsage, "--words: they go to a file, not to standard output");
}

int fit_idf(const Invocation& given, const std::vector<std::string>& inputs, Reporter& reporter) {
  Invocation invocation = given;
  require_output(invocation);
  FrequencyRun job;
  job.min_documents = min_documents(invocation);
  job.top_words = local_number(invocation, "top", job.top_words, 1, 100'000'000);
  if (invocation.has("top") && !invocation.has("words")) throw Error(ErrorCode::kUsage, "--top is for --words: how many of them");

  const Options& options = invocation.options;
  RunPlan plan = plan_run(options);
  const auto source = open_inputs(inputs, options, plan, reporter);
  clean_if_html(invocation, *source, 0, plan, reporter);
  check_effects(invocation, nullptr, input_kinds(*source));
  RunOutputs outputs(invocation, {"output", "words"});
  outputs.check(*source);
  const std::unique_ptr<RejectSink> rejects = outputs.has("rejects") ? make_reject_sink(outputs.path("rejects"), *source) : nullptr;
  reporter.start(
      fmt::format("recipe {}, {}", recipe_label(plan.recipe), machine_label(plan, *source)),
      fmt::format(R"("recipe":{},"recipe_id":"{:016x}",{})", json_quote(plan.recipe.name), plan.recipe.id(), machine_json(plan, *source)));
  job.source = source.get();
  job.output = outputs.path("output");
  job.words = invocation.value("words");
  job.rejects = rejects.get();
  job.progress = [&](const Progress& progress) { reporter.progress(progress); };
  job.stop = interrupted;
  return outputs.finish(fit_frequencies(options, job), reporter);
}

int merge(const Invocation& invocation, const std::vector<std::string>& inputs) {
  refuse(invocation, "merge", {"words", "top", "rejects", "summary"});
  refuse_table_options(invocation, "idf merge", {"memory", "threads", "temp-dir"});
  require_output(invocation);
  std::unordered_set<std::string> seen;
  for (const std::string& input : inputs) {
    if (!seen.insert(std::filesystem::weakly_canonical(input).native()).second) {
      throw Error(ErrorCode::kUsage, fmt::format("'{}' is given twice, so its documents would count twice", input));
    }
  }
  merge_frequencies(invocation.options, inputs, invocation.value("output"), min_documents(invocation));
  return kExitOk;
}

// Maps hashes to words, from a file that fit --words wrote.
std::unordered_map<uint64_t, std::string> words_by_hash(const std::string& path) {
  std::unordered_map<uint64_t, std::string> words;
  const std::string text = read_text(path);
  size_t number = 1;
  for (size_t at = 0; at < text.size(); ++number) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line(text.data() + at, end - at);
    at = end + 1;
    if (number == 1) continue;  // the header
    const std::string_view digits = line.substr(std::min(line.rfind('\t'), line.size() - 1) + 1);
    uint64_t hash = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), hash, 16);
    if (error != std::errc() || stop != digits.data() + digits.size() || digits.size() != 16)
      throw Error(ErrorCode::kInput, fmt::format("{}:{}: not a line of a file that 'neardup idf fit --words' writes", path, number));
    words.emplace(hash, line.substr(0, line.find('\t')));
  }
  return words;
}

int info(const Invocation& invocation, const std::vector<std::string>& inputs, Reporter& reporter) {
  refuse(invocation, "info", {"output", "min-documents", "rejects", "summary"});
  refuse_table_options(invocation, "idf info", {});
  if (inputs.size() > 1) throw Error(ErrorCode::kUsage, fmt::format("'{}' is one argument too many: neardup idf info IDF", inputs[1]));
  if (invocation.has("words") && !invocation.has("top")) throw Error(ErrorCode::kUsage, "--words is for --top: the words of these tokens");
  const FrequencyInfo table = read_frequencies(inputs.front(), local_number(invocation, "top", 0, 1, 100'000'000));
  say("id               {:016x}\n", table.id);
  say("documents        {}\n", table.documents);
  say("tokens           {}\n", table.tokens);
  say("min documents    {}\n", table.min_documents);
  say("idf of unlisted  {:.6f}\n", table.unseen_idf);
  say("made by          {}\n", table.description);
  if (table.top.empty()) return kExitOk;
  std::unordered_map<uint64_t, std::string> words;
  if (invocation.has("words")) words = words_by_hash(invocation.value("words"));
  size_t missing = 0;
  say("\nhash\tdocuments\tidf\tword\n");
  for (const FrequencyInfo::Token& token : table.top) {
    const auto found = words.find(token.hash);
    const std::string& word = found == words.end() ? token.word : found->second;
    missing += word.empty() ? 1 : 0;
    say("{:016x}\t{}\t{:.6f}\t{}\n", token.hash, token.documents, token.idf, word);
  }
  if (missing > 0 && !invocation.has("words")) {
    reporter.note(fmt::format("the table does not have the words of {}; give --words the file that 'neardup idf fit --words' wrote",
                              counted(missing, "token")));
  }
  return kExitOk;
}

int run_idf(const Invocation& invocation, Reporter& reporter) {
  const std::string verb = invocation.arguments.front();
  const std::vector<std::string> rest(invocation.arguments.begin() + 1, invocation.arguments.end());
  if (verb != "fit" && verb != "merge" && verb != "info") {
    throw Error(ErrorCode::kUsage, expected_name({"fit", "merge", "info"}, verb));
  }
  if (rest.empty()) {
    const std::string_view arguments = verb == "fit" ? "INPUT..." : verb == "merge" ? "IDF..." : "IDF";
    throw Error(ErrorCode::kUsage, fmt::format("no input is named: neardup idf {} {}", verb, arguments));
  }
  if (verb == "fit") return fit_idf(invocation, rest, reporter);
  return verb == "merge" ? merge(invocation, rest) : info(invocation, rest, reporter);
}

}  // namespace

const Command& idf_command() {
  static const Command command{
      .name = "idf",
      .sentence = "count in how many documents of a corpus each token occurs: a table for TF-IDF weights",
      .usage = "fit INPUT... -o IDF | merge IDF... -o IDF | info IDF",
      .examples =
          "neardup idf fit corpus.jsonl -o corpus.idf --words words.tsv\n"
          "neardup idf merge monday.idf tuesday.idf -o week.idf\n"
          "neardup idf info corpus.idf --top 20",
      .details =
          "The tokens are those of the recipe (its shingle size does not matter), and a text that occurs twice counts twice.\n"
          "idf = ln((documents + 1) / (documents with the token + 1)) + 1. Merging gives the table that fit would make of\n"
          "all documents at once; a table from which rare tokens were left out cannot be merged.",
      .min_arguments = 1,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .lacks_input = [](const Invocation& invocation) { return invocation.arguments == std::vector<std::string>{"fit"}; },
      .options = with_run_options({
          essential({"-o,--output", "IDF", "Outputs", "the table that fit and merge write"}),
          essential({"--words", "FILE", "Outputs",
                     "fit: write the most frequent tokens here (reads the inputs twice); info: that file, for words that the table does "
                     "not have"}),
          essential({"--top", "N", "Outputs", "maximum number of tokens in --words [10000], or shown by info [none]"}),
          essential({"--min-documents", "N", "Outputs", "leave out tokens in fewer documents; they get the idf of unknown tokens [1]"}),
      }),
      .run = run_idf,
  };
  return command;
}

}  // namespace neardup::cli
