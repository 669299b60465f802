// tokenize_all() and keywords_all(): the words of each document of a corpus, one JSON line a document.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/options.h"
#include "neardup/tools/map_documents.h"

namespace neardup {

struct TokenizeOptions {
  std::string tokenizer = "jieba_v1";  ///< jieba_v1, words_v1, chars_v1; each on the text without normalization
  // For jieba_v1 only:
  std::string mode = "accurate";  ///< accurate, full, search
  bool hmm = true;                ///< also find words that are not in the dictionary; the full mode never does
  std::string user_dict;          ///< a file of lines "word [frequency] [tag]", or empty
  bool pos = false;               ///< words and their parts of speech as jieba.posseg; for the accurate mode
};

/// Lines {"id":ID,"tokens":[...]}, with `pos` also "tags":[...], one for each token; the id is a string, or null. Throws Error{kUsage} for
/// options that are unknown or contradict each other. Options used: threads.
Summary tokenize_all(const Options& options, const TokenizeOptions& tokenize, const MapRun& run);

struct KeywordsOptions {
  uint64_t topk = 20;      ///< 0: all
  std::string idf;         ///< a file of lines "word idf", or empty: the table of the dictionary
  std::string stop_words;  ///< a file, one a line, in addition to those of the dictionary; or empty
  std::string user_dict;
  std::vector<std::string> allow_pos;  ///< only words of these parts of speech, cut as jieba.posseg; empty: words cut as jieba.cut
};

/// Lines {"id":ID,"keywords":[[WORD,WEIGHT],...]}; a weight has 17 significant digits and reads back as the same double.
Summary keywords_all(const Options& options, const KeywordsOptions& keywords, const MapRun& run);

}  // namespace neardup
