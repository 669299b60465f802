// neardup clean, neardup tokenize, neardup keywords: the output of a recipe or the segmenter for every document, one JSON line per
// document.
#include <fmt/format.h>

#include <functional>
#include <limits>
#include <optional>

#include "cli/check_invocation.h"
#include "cli/commands/commands.h"
#include "cli/local_options.h"
#include "cli/read_text.h"
#include "cli/run/labels.h"
#include "cli/run/map.h"
#include "cli/text_format.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/texts.h"
#include "neardup/tools/clean_all.h"
#include "neardup/tools/run_recipe.h"
#include "neardup/tools/tokenize_all.h"

namespace neardup::cli {
namespace {

constexpr std::string_view kWordsGroup = "Words";
constexpr LocalOption kTextOption = essential({"--text", "TEXT", kWordsGroup, "a text, instead of INPUT"});
constexpr std::string_view kOutputHelp = "one JSON line per document; the ending .gz, .zst or .bz2 compresses [-, standard output]";

int clean(const Invocation& invocation, Reporter& reporter) {
  const auto what = [](const Options& options) {
    const Recipe recipe = run_recipe(options);
    return recipe.clean == "[]" ? fmt::format("recipe {} has no cleaners, texts are unchanged", recipe_label(recipe))
                                : fmt::format("recipe {}, cleaners {}", recipe_label(recipe), recipe.clean);
  };
  return run_map(invocation, reporter, what, clean_all, true);
}

// The single text of the query: --text, or all of standard input (--format text -). Throws Error{kUsage} when there is none.
std::optional<std::string> single_text(const Invocation& invocation, std::string_view command) {
  const std::vector<std::string>& inputs = invocation.arguments;
  const bool given = invocation.has("text");
  if (given && !inputs.empty()) throw Error(ErrorCode::kUsage, fmt::format("give --text or INPUT ('{}'), not both", inputs.front()));
  if (!given && inputs.empty())
    throw Error(ErrorCode::kUsage, fmt::format("no input is named: neardup {} INPUT... or neardup {} --text TEXT", command, command));
  const bool piped = !given && inputs.size() == 1 && inputs.front() == "-" && invocation.options.format == InputFormat::kText;
  if (!given && !piped) return std::nullopt;
  for (const std::string_view name : {"rejects", "summary", "metrics", "text-field", "id-field"}) {
    if (invocation.has(name)) throw Error(ErrorCode::kUsage, fmt::format("--{} is for inputs of many documents", name));
  }
  if (given) return invocation.value("text");
  return to_utf8(read_text("-"), invocation.options.charset);
}

// As run_map(), but announces and reports nothing for a single text.
int run_words(const Invocation& invocation, Reporter& reporter, std::string_view command, const std::string& what,
              const std::function<Summary(const Options&, const MapRun&)>& job) {
  const std::optional<std::string> text = single_text(invocation, command);
  if (!text)
    return run_map(
        invocation, reporter, [&](const Options&) { return what; }, job);
  const std::string_view texts[] = {*text};
  const auto source = make_text_source(texts);
  const auto sink = make_piece_sink(invocation.value("output", "-"));
  MapRun run;
  run.source = source.get();
  run.sink = sink.get();
  job(invocation.options, run);
  return kExitOk;
}

int tokenize(const Invocation& invocation, Reporter& reporter) {
  TokenizeOptions chosen;
  chosen.tokenizer = invocation.value("tokenizer", chosen.tokenizer);
  chosen.mode = invocation.value("mode", chosen.mode);
  chosen.hmm = !invocation.has("no-hmm");
  chosen.user_dict = invocation.value("user-dict");
  chosen.pos = invocation.has("pos");
  return run_words(invocation, reporter, "tokenize", fmt::format("tokenizer {}", chosen.tokenizer),
                   [&](const Options& options, const MapRun& run) { return tokenize_all(options, chosen, run); });
}

// "n,vn" -> n, vn
std::vector<std::string> split_list(std::string_view list) {
  std::vector<std::string> parts(1);
  for (const char c : list) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back().push_back(c);
    }
  }
  return parts;
}

int keywords(const Invocation& invocation, Reporter& reporter) {
  KeywordsOptions chosen;
  chosen.topk = local_number(invocation, "topk", chosen.topk, 0, std::numeric_limits<uint32_t>::max());
  chosen.idf = invocation.value("idf");
  chosen.stop_words = invocation.value("stop-words");
  chosen.user_dict = invocation.value("user-dict");
  if (invocation.has("allow-pos")) chosen.allow_pos = split_list(invocation.value("allow-pos"));
  return run_words(invocation, reporter, "keywords", chosen.topk == 0 ? "all keywords" : fmt::format("top {} keywords", chosen.topk),
                   [&](const Options& options, const MapRun& run) { return keywords_all(options, chosen, run); });
}

}  // namespace

const Command& clean_command() {
  static const Command command{
      .name = "clean",
      .sentence = "print each text after the cleaners of a recipe, one JSON line per document",
      .usage = "INPUT... [-o TEXTS] [options]",
      .examples =
          "neardup clean --recipe simhash-jieba-30 pages.jsonl -o texts.jsonl\n"
          "neardup clean --recipe mine.json --format text --charset auto page.html",
      .details =
          "Fields: id, text. A recipe names its cleaners by the member clean, for instance \"clean\": [\"html_v1\"]; the text is not\n"
          "normalized. The tokens of the recipe come from this text.",
      .min_arguments = 1,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .reads_pipe = true,
      .options = with_run_options({
          essential({"-o,--output", "FILE", "Outputs", kOutputHelp, false, kLineEndings}),
      }),
      .run = clean,
  };
  return command;
}

const Command& tokenize_command() {
  static const Command command{
      .name = "tokenize",
      .sentence = "print the tokens of each document, Chinese words as jieba 0.42.1 cuts them",
      .usage = "INPUT... [-o TOKENS] [options] | --text TEXT",
      .examples =
          "neardup tokenize --text '我来到北京清华大学'\n"
          "neardup tokenize corpus.jsonl -o tokens.jsonl.zst\n"
          "echo 我来到北京清华大学 | neardup tokenize --format text -\n"
          "neardup tokenize --pos --text '我来到北京清华大学'\n"
          "neardup tokenize --mode search --user-dict names.txt page.txt\n"
          "zcat corpus.jsonl.gz | neardup tokenize --tokenizer words_v1 -",
      .details =
          "Fields: id, tokens, and with --pos tags, one for each token. The text is taken as it is, and not normalized first.\n"
          "The dictionary is the installed one, or the file that NEARDUP_DICT names: neardup dict info.",
      .min_arguments = 0,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .reads_pipe = true,
      .options = with_run_options({
          essential({"-o,--output", "FILE", "Outputs", kOutputHelp, false, kLineEndings}),
          kTextOption,
          essential({"--tokenizer", "jieba_v1|words_v1|chars_v1", kWordsGroup, "how texts are cut [jieba_v1]"}),
          essential({"--mode", "accurate|full|search", kWordsGroup, "jieba: cut, cut_all or cut_for_search [accurate]"}),
          {"--no-hmm", "", kWordsGroup, "jieba: only words of the dictionary"},
          {"--pos", "", kWordsGroup, "jieba: words and their parts of speech as jieba.posseg gives them"},
          essential({"--user-dict", "FILE", kWordsGroup, "jieba: lines 'word [frequency] [tag]', in addition to the dictionary"}),
      }),
      .run = tokenize,
  };
  return command;
}

const Command& keywords_command() {
  static const Command command{
      .name = "keywords",
      .sentence = "print the keywords of each document by TF-IDF as jieba 0.42.1 extracts them",
      .usage = "INPUT... [-o KEYWORDS] [options] | --text TEXT",
      .examples =
          "neardup keywords --text '我来到北京清华大学' --topk 5\n"
          "neardup keywords corpus.jsonl -o keywords.jsonl\n"
          "neardup keywords --allow-pos n,ns,nr,vn corpus.jsonl\n"
          "neardup keywords --topk 200 --idf my-idf.txt --stop-words stop.txt corpus.jsonl",
      .details =
          "Fields: id, keywords, a list of [word, weight]; the weights have 17 digits and are those of jieba to the last bit.\n"
          "The dictionary is the installed one, or the file that NEARDUP_DICT names: neardup dict info.",
      .min_arguments = 0,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .reads_pipe = true,
      .options = with_run_options({
          essential({"-o,--output", "FILE", "Outputs", kOutputHelp, false, kLineEndings}),
          kTextOption,
          {"--allow-pos", "TAGS", kWordsGroup, "only words of these parts of speech, such as n,vn,ns; words as jieba.posseg cuts them"},
          essential({"--topk", "N", kWordsGroup, "maximum keywords per document; 0: all [20]"}),
          essential({"--idf", "FILE", kWordsGroup, "lines 'word idf', instead of the dictionary's table"}),
          essential({"--stop-words", "FILE", kWordsGroup, "words that are never keywords, one per line, in addition to the dictionary's"}),
          essential({"--user-dict", "FILE", kWordsGroup, "lines 'word [frequency] [tag]', in addition to the dictionary"}),
      }),
      .run = keywords,
  };
  return command;
}

}  // namespace neardup::cli
