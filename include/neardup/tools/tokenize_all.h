// tokenize_all() and keywords_all(): the words of each document of a corpus, one JSON line a document, or plain lines for people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neardup/options.h"
#include "neardup/tools/map_documents.h"

namespace neardup {

/// Changes of the dictionary for one run, made in the order of the members, each as jieba's function of the same name makes it.
struct WordChanges {
  struct Added {
    std::string word;
    std::optional<uint64_t> frequency;  ///< nothing: the suggested one
    std::string tag;                    ///< empty: the word keeps its tag
  };
  std::string user_dict;  ///< load_userdict: a file of lines "word [frequency] [tag]", or empty
  std::vector<Added> add_words;
  std::vector<std::string> del_words;
  std::vector<std::vector<std::string>> suggest_freqs;  ///< with tune; one piece: a word to join, several: pieces to cut it into

  [[nodiscard]] bool empty() const { return user_dict.empty() && add_words.empty() && del_words.empty() && suggest_freqs.empty(); }
};

/// Lines for people.
struct PlainLines {
  bool on = false;
  std::string separator = " ";
};

struct TokenizeOptions {
  std::string tokenizer = "jieba_v1";  ///< jieba_v1, words_v1, chars_v1, code_v1; each on the text without normalization
  PlainLines plain{};                  ///< a line for each line of the text, white space left out; with pos WORD/TAG
  // For jieba_v1 only:
  std::string mode = "accurate";  ///< accurate, full, search
  bool hmm = true;                ///< also find words that are not in the dictionary; the full mode never does
  WordChanges words{};
  bool pos = false;      ///< words and their parts of speech as jieba.posseg; for the accurate mode
  bool offsets = false;  ///< places of the tokens as jieba.tokenize; not for the full mode or plain lines
};

/// Lines {"id":ID,"tokens":[...]}, with `pos` also "tags":[...], with `offsets` also "offsets":[[BEGIN,END],...] in code points, one for
/// each token; the id is a string, or null. Throws Error{kUsage} for options that are unknown or contradict each other. Options used:
/// threads.
Summary tokenize_all(const Options& options, const TokenizeOptions& tokenize, const MapRun& run);

struct KeywordsOptions {
  uint64_t topk = 20;      ///< 0: all
  std::string idf;         ///< a file of lines "word idf", or empty: the table of the dictionary
  std::string stop_words;  ///< a file, one a line, in addition to those of the dictionary; or empty
  WordChanges words{};
  std::vector<std::string> allow_pos;  ///< only words of these parts of speech, cut as jieba.posseg; empty: words cut as jieba.cut
  PlainLines plain{};                  ///< one line a document, without weights
};

/// Lines {"id":ID,"keywords":[[WORD,WEIGHT],...]}; a weight has 17 significant digits and reads back as the same double.
Summary keywords_all(const Options& options, const KeywordsOptions& keywords, const MapRun& run);

}  // namespace neardup
