// The dictionary of Chinese words: builds and inspects it. docs/dictionary.md describes the file.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace neardup {

/// The sources of a dictionary: the files of jieba, or files of the same form. Only the words are required.
struct DictionarySources {
  std::string words;       ///< lines "word frequency [tag]"
  std::string idf;         ///< lines "word idf", or empty: keywords then need an IDF table of their own
  std::string stop_words;  ///< one a line, or empty
  std::string hmm;         ///< a folder with prob_start.py, prob_trans.py and prob_emit.py, or empty: then no new words are found
  std::string tags;        ///< a folder with prob_start.py, prob_trans.py, prob_emit.py and char_state_tab.py, or empty: then no tags
};

struct DictionaryInfo {
  std::string path;
  uint64_t id = 0;  ///< XXH3-64 of the contents without tags
  uint64_t bytes = 0;
  uint64_t words = 0;
  uint64_t total = 0;  ///< of the frequencies
  uint64_t characters = 0;
  uint64_t slots = 0;
  bool has_idf = false;
  bool has_hmm = false;
  bool has_tags = false;                                   ///< parts of speech
  std::vector<std::pair<std::string, uint64_t>> sections;  ///< and their bytes
};

/// Writes the file; it appears under its name when it is complete. Throws Error naming file, line, bound and value.
DictionaryInfo build_jieba_dictionary(const DictionarySources& sources, const std::string& path);

/// Checks the whole file. An empty path: the dictionary that is used when none is named (NEARDUP_DICT, or the installed one).
DictionaryInfo jieba_dictionary_info(const std::string& path);

}  // namespace neardup
