// neardup clean, neardup tokenize, neardup keywords: the output of a recipe or the segmenter for every document, one JSON line per
// document.
#include <fmt/format.h>

#include <functional>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/options/local_options.h"
#include "cli/options/word_options.h"
#include "cli/run/given_texts.h"
#include "cli/run/labels.h"
#include "cli/run/map.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/texts.h"
#include "neardup/tools/clean_all.h"
#include "neardup/tools/run_recipe.h"
#include "neardup/tools/tokenize_all.h"

namespace neardup::cli {
namespace {

constexpr std::string_view kWordsGroup = "Words";
constexpr std::string_view kWordEndings = ".jsonl .ndjson .json .txt .text";  // the last two for --plain
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

// The name of the output must not promise the other form.
void check_word_output(const Invocation& invocation) {
  const std::string output = invocation.value("output", "-");
  const std::string ending = format_ending(output);
  if (ending.empty()) return;
  const bool text = ending == ".txt" || ending == ".text";
  if (text && !invocation.has("plain"))
    throw Error(ErrorCode::kUsage, fmt::format("--output: lines of text ('{}') require --plain; without it, write .jsonl", output));
  if (!text && invocation.has("plain"))
    throw Error(ErrorCode::kUsage, fmt::format("--output: --plain writes lines of text, not '{}'; the ending .txt gives them", output));
}

// As run_map(), but announces and reports nothing for given texts.
int run_words(const Invocation& invocation, Reporter& reporter, PipedText piped, std::string_view command, const std::string& what,
              const std::function<Summary(const Options&, const MapRun&)>& job) {
  check_word_output(invocation);
  const std::unique_ptr<GivenTexts> given = given_texts(invocation, command, piped, reporter);
  if (!given) {
    return run_map(
        invocation, reporter, [&](const Options&) { return what; }, job);
  }
  const auto source = make_text_source(given->texts);
  const auto sink = make_piece_sink(invocation.value("output", "-"));
  MapRun run;
  run.source = source.get();
  run.sink = sink.get();
  run.stop = interrupted;
  job(invocation.options, run);
  return kExitOk;
}

int tokenize(const Invocation& invocation, Reporter& reporter) {
  TokenizeOptions chosen;
  chosen.tokenizer = invocation.value("tokenizer", chosen.tokenizer);
  chosen.mode = invocation.value("mode", chosen.mode);
  chosen.hmm = !invocation.has("no-hmm");
  chosen.words = word_changes(invocation);
  chosen.plain = plain_lines(invocation);
  chosen.pos = invocation.has("pos");
  chosen.offsets = invocation.has("offsets");
  if (chosen.offsets && chosen.plain.on)
    throw Error(ErrorCode::kUsage, "--offsets cannot be combined with --plain, which prints only words");
  return run_words(invocation, reporter, PipedText::kLines, "tokenize", fmt::format("tokenizer {}", chosen.tokenizer),
                   [&](const Options& options, const MapRun& run) { return tokenize_all(options, chosen, run); });
}

int keywords(const Invocation& invocation, Reporter& reporter) {
  KeywordsOptions chosen;
  chosen.topk = local_number(invocation, "topk", chosen.topk, 0, std::numeric_limits<uint32_t>::max());
  chosen.idf = invocation.value("idf");
  chosen.stop_words = invocation.value("stop-words");
  chosen.words = word_changes(invocation);
  chosen.plain = plain_lines(invocation);
  if (invocation.has("allow-pos")) chosen.allow_pos = split(invocation.value("allow-pos"), ',');
  return run_words(invocation, reporter, PipedText::kOneText, "keywords",
                   chosen.topk == 0 ? "all keywords" : fmt::format("top {} keywords", chosen.topk),
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
          "echo 我来到北京清华大学 | neardup tokenize --plain\n"
          "neardup tokenize --plain --pos --text '我来到北京清华大学'\n"
          "neardup tokenize --mode search --user-dict names.txt page.txt\n"
          "neardup tokenize --add-word 石墨烯 --suggest-freq 中/将 corpus.jsonl\n"
          "zcat corpus.jsonl.gz | neardup tokenize --tokenizer words_v1 -",
      .details =
          "Fields: id, tokens, and with --pos tags, with --offsets offsets, one for each token. The text is not normalized first.\n"
          "Plain text on standard input is a document a line. With --plain every line of a text gives a line.\n"
          "The dictionary changes in this order: --user-dict, --add-word, --del-word, --suggest-freq; each as in jieba.\n"
          "The dictionary is the installed one, or the file that NEARDUP_DICT names: neardup dict info.",
      .min_arguments = 0,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .reads_pipe = true,
      .options = with_run_options(with_word_options(
          {
              essential({"-o,--output", "FILE", "Outputs", kOutputHelp, false, kWordEndings}),
              kTextOption,
              essential({"--tokenizer", "jieba_v1|words_v1|chars_v1|code_v1", kWordsGroup, "how texts are cut [jieba_v1]"}),
              essential({"--mode", "accurate|full|search", kWordsGroup, "jieba: cut, cut_all or cut_for_search [accurate]"}),
              {"--no-hmm", "", kWordsGroup, "jieba: only words of the dictionary"},
              {"--pos", "", kWordsGroup, "jieba: words and their parts of speech as jieba.posseg gives them"},
              {"--offsets", "", kWordsGroup, "jieba: also begin and end of each token, in code points, as jieba.tokenize"},
          },
          kWordsGroup)),
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
          "neardup keywords --plain --separator / <article.txt\n"
          "neardup keywords corpus.jsonl -o keywords.jsonl\n"
          "neardup keywords --allow-pos n,ns,nr,vn corpus.jsonl\n"
          "neardup keywords --topk 200 --idf my-idf.txt --stop-words stop.txt corpus.jsonl",
      .details =
          "Fields: id, keywords, a list of [word, weight]; the weights have 17 digits and are those of jieba to the last bit.\n"
          "Plain text on standard input is one document. With --plain every document gives a line of keywords.\n"
          "The dictionary is the installed one, or the file that NEARDUP_DICT names: neardup dict info.",
      .min_arguments = 0,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .reads_pipe = true,
      .options = with_run_options(with_word_options(
          {
              essential({"-o,--output", "FILE", "Outputs", kOutputHelp, false, kWordEndings}),
              kTextOption,
              {"--allow-pos", "TAGS", kWordsGroup, "only words of these parts of speech, such as n,vn,ns; words as jieba.posseg cuts them"},
              essential({"--topk", "N", kWordsGroup, "maximum keywords per document; 0: all [20]"}),
              essential({"--idf", "FILE", kWordsGroup, "lines 'word idf', instead of the dictionary's table"}),
              essential(
                  {"--stop-words", "FILE", kWordsGroup, "words that are never keywords, one per line, in addition to the dictionary's"}),
          },
          kWordsGroup)),
      .run = keywords,
  };
  return command;
}

}  // namespace neardup::cli
