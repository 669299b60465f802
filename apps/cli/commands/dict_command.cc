#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "cli/commands/commands.h"
#include "cli/options/suggest.h"
#include "cli/options/word_options.h"
#include "cli/terminal/say.h"
#include "neardup/error.h"
#include "neardup/jieba.h"

namespace neardup::cli {
namespace {

void print(const DictionaryInfo& info) {
  say("file        {}\n", info.path);
  say("id          {:016x}\n", info.id);
  say("bytes       {}\n", info.bytes);
  say("words       {}\n", info.words);
  say("total       {}\n", info.total);
  say("characters  {}\n", info.characters);
  say("slots       {}\n", info.slots);
  say("idf         {}\n", info.has_idf ? "yes" : "no");
  say("hmm         {}\n", info.has_hmm ? "yes" : "no");
  say("tags        {}\n", info.has_tags ? "yes" : "no");
  for (const auto& [name, bytes] : info.sections) say("section     {} {}\n", name, bytes);
}

int build(const Invocation& invocation) {
  if (invocation.arguments.size() > 1)
    throw Error(ErrorCode::kUsage,
                fmt::format("dict build takes no argument '{}': name files by --words, --idf and --output", invocation.arguments[1]));
  for (const std::string_view needed : {"words", "output"}) {
    if (!invocation.has(needed)) throw Error(ErrorCode::kUsage, fmt::format("dict build needs --{}", needed));
  }
  if (invocation.value("output") == "-") throw Error(ErrorCode::kUsage, "--output: a dictionary goes to a file, not to standard output");
  const DictionarySources sources{.words = invocation.value("words"),
                                  .idf = invocation.value("idf"),
                                  .stop_words = invocation.value("stop-words"),
                                  .hmm = invocation.value("hmm"),
                                  .tags = invocation.value("pos")};
  const DictionaryInfo info = build_jieba_dictionary(sources, invocation.value("output"));
  if (!invocation.has("quiet")) print(info);
  return kExitOk;
}

// Lines of a user dictionary: each word with the frequency that jieba.suggest_freq gives.
int suggest_frequencies(const Invocation& invocation) {
  if (invocation.arguments.size() < 2)
    throw Error(ErrorCode::kUsage, "dict suggest needs a word: neardup dict suggest WORD|PIECE/PIECE...");
  Jieba jieba;
  for (size_t i = 1; i < invocation.arguments.size(); ++i) {
    const std::vector<std::string> pieces = pieces_of_word(invocation.arguments[i], "dict suggest");
    const std::vector<std::string_view> views(pieces.begin(), pieces.end());
    say("{} {}\n", fmt::join(pieces, ""), pieces.size() == 1 ? jieba.suggest_freq(pieces.front()) : jieba.suggest_freq(views));
  }
  return kExitOk;
}

int run_dict(const Invocation& invocation, Reporter&) {
  const std::string& verb = invocation.arguments.front();
  if (verb == "build") return build(invocation);
  if (verb != "info" && verb != "suggest") throw Error(ErrorCode::kUsage, expected_name({"build", "info", "suggest"}, verb));
  for (const std::string_view foreign : {"words", "idf", "stop-words", "hmm", "pos", "output"}) {
    if (invocation.has(foreign)) throw Error(ErrorCode::kUsage, fmt::format("dict {} takes no --{}", verb, foreign));
  }
  if (verb == "suggest") return suggest_frequencies(invocation);
  if (invocation.arguments.size() > 2)
    throw Error(ErrorCode::kUsage, fmt::format("'{}' is one argument too many: neardup dict info [FILE]", invocation.arguments[2]));
  print(jieba_dictionary_info(invocation.arguments.size() > 1 ? invocation.arguments[1] : ""));
  return kExitOk;
}

}  // namespace

const Command& dict_command() {
  static const Command command{
      .name = "dict",
      .sentence = "make a dictionary of Chinese words, or check one and print its contents",
      .usage = "build --words FILE -o FILE [options] | info [FILE] | suggest WORD|PIECE/PIECE...",
      .examples =
          "neardup dict info\n"
          "neardup dict build --words dict.txt --idf idf.txt --hmm finalseg -o my.dict\n"
          "NEARDUP_DICT=my.dict neardup tokenize corpus.jsonl\n"
          "neardup dict suggest 台中 中/将 >words.txt",
      .details =
          "dict info without a file describes the dictionary in use: NEARDUP_DICT of the environment, or the one that was installed.\n"
          "dict suggest prints lines of a user dictionary, with the frequency that keeps a word whole or lets it fall into the pieces.\n"
          "Words and IDF have the form of jieba's dict.txt and idf.txt, the HMM that of the folder jieba/finalseg, the\n"
          "parts of speech that of jieba/posseg.",
      .min_arguments = 1,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .options = {essential({"--words", "FILE", "Sources", "lines 'word frequency [tag]'"}),
                  essential({"--idf", "FILE", "Sources", "lines 'word idf', for keywords"}),
                  essential(
                      {"--hmm", "FOLDER", "Sources", "folder of prob_start.py, prob_trans.py and prob_emit.py, which find unlisted words"}),
                  {"--pos", "FOLDER", "Sources",
                   "folder of prob_*.py and char_state_tab.py, which tag unlisted words; stores the tags of --words too"},
                  essential({"--stop-words", "FILE", "Sources", "words that are never keywords, one per line"}),
                  essential({"-o,--output", "FILE", "Output", "the dictionary"}),
                  {"-q,--quiet", "", "Output", "print only errors"}},
      .run = run_dict,
  };
  return command;
}

}  // namespace neardup::cli
