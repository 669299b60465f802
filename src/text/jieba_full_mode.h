// The modes of jieba whose tokens overlap: all words (cut_all), and the parts of long words (cut_for_search).
#pragma once

#include "text/jieba_segmenter.h"

namespace neardup::jieba {

/// Appends the tokens of one batch; batches do not end inside gaps. Needs Lattice::find_words().
void emit_all_words(const JiebaDictionary& dictionary, JiebaScratch& scratch);
/// Appends the tokens of one batch with their parts. Needs Lattice::starts().
void emit_with_parts(JiebaScratch& scratch);

}  // namespace neardup::jieba
