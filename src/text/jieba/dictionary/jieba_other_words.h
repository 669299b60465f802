// A dictionary with other words: jieba's set_dictionary().
#pragma once

#include <vector>

#include "text/jieba/dictionary/jieba_dictionary.h"
#include "text/jieba/dictionary/jieba_sources.h"

namespace neardup::jieba {

/// A view of `base`, which must outlive it, with these words instead of its own. The HMM, the IDF table, stop words and the HMM of parts of
/// speech stay. A word without a tag has the one that `base` has for it. A word with a character that is in no block and in no word of
/// `base` is left out, because no text is ever cut into it.
JiebaDictionary with_other_words(const JiebaDictionary& base, const std::vector<WordCount>& words);

}  // namespace neardup::jieba
