// Builds a dictionary file from words, an IDF table, an HMM and stop words. The same sources give the same bytes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "text/jieba/dictionary/jieba_sources.h"
#include "text/jieba/dictionary/jieba_tag_sources.h"

namespace neardup::jieba {

struct Sources {
  std::vector<WordCount> words;  ///< in the order of the file: of a repeated word the last frequency counts, but all count in the total
  std::vector<WordIdf> idf;      ///< may be empty
  std::vector<std::string> stop_words;  ///< a set: order and repetitions do not matter
  std::optional<Hmm> hmm;
  std::optional<TagHmm> tag_hmm;  ///< without it the tags of the words are left out too
};

/// The file, as bytes. Throws Error{kResource} when the words need more characters, slots or tags than the format has.
std::string build_dictionary(const Sources& sources);

}  // namespace neardup::jieba
