// The modes of jieba whose tokens overlap: all words (cut_all), and the parts of long words (cut_for_search).
#pragma once

#include "text/jieba/jieba_segmenter.h"

namespace neardup::jieba {

/// Appends the tokens of one batch; batches do not end inside gaps. Needs Lattice::find_words().
void emit_all_words(const JiebaDictionary& dictionary, JiebaScratch& scratch);
/// Appends the tokens of a block that is too long for a batch.
void emit_all_words(const JiebaDictionary& dictionary, const LongBlock& block, JiebaScratch& scratch);
/// Appends the tokens of a gap that is too long for a batch; it begins at `at`, in the text. Returns where it ends. False in `valid` if
/// malformed UTF-8 was met.
size_t emit_long_gap(const JiebaDictionary& dictionary, JiebaScratch& scratch, size_t at, bool& valid);

/// Appends the tokens of one batch with their parts. Needs Lattice::starts().
void emit_with_parts(JiebaScratch& scratch);
/// The same of a block that is too long for a batch. Needs LongBlock::starts().
void emit_with_parts(const LongBlock& block, JiebaScratch& scratch);

}  // namespace neardup::jieba
