#include "text/jieba/jieba_segmenter.h"

#include <bit>

#include "neardup/error.h"
#include "neardup/tools/token_buffer.h"
#include "text/jieba/jieba_batches.h"
#include "text/jieba/jieba_full_mode.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

// Every bit of starts() begins a token, which ends where the next one begins.
template <typename Block>
void emit(const Block& block, JiebaScratch& scratch) {
  const uint64_t* starts = block.starts();
  size_t count = 0;
  for (size_t i = 0; i < block.bit_words(); ++i) count += static_cast<size_t>(std::popcount(starts[i]));
  const size_t before = scratch.tokens.size();
  scratch.tokens.resize(before + count);
  JiebaToken* token = scratch.tokens.data() + before;
  for (size_t i = 0; i < block.bit_words(); ++i) {
    for (uint64_t bits = starts[i]; bits != 0; bits &= bits - 1) {
      (token++)->begin = block.offset(i * 64 + static_cast<size_t>(std::countr_zero(bits)));
    }
  }
  for (size_t i = before; i + 1 < scratch.tokens.size(); ++i) scratch.tokens[i].end = scratch.tokens[i + 1].begin;
  if (count > 0) scratch.tokens.back().end = block.offset(block.size());
}

bool needs_hmm(JiebaMode mode) {
  return mode == JiebaMode::kAccurate || mode == JiebaMode::kSearch;
}

}  // namespace

JiebaSegmenter::JiebaSegmenter(const JiebaDictionary& dictionary, JiebaMode mode) : dictionary_(dictionary), mode_(mode) {
  if (needs_hmm(mode) && !dictionary.has_hmm())
    throw Error(ErrorCode::kUsage, "the dictionary has no HMM tables, so it can cut only with HMM off: build it with --hmm");
}

bool JiebaSegmenter::cut(std::string_view text, JiebaScratch& scratch, const TakeTokens* take) const {
  scratch.text = text;
  scratch.tokens.clear();
  scratch.glued.clear();
  bool first = true;
  const auto hand_over = [&] {
    if (take != nullptr && !first) {
      (*take)(scratch.tokens);
      scratch.tokens.clear();
      scratch.glued.clear();
    }
    first = false;
  };
  const bool valid = jieba::for_each_batch(
      dictionary_, text, scratch.lattice, mode_ == JiebaMode::kFull,
      [&] {
        hand_over();
        cut_batch(scratch);
      },
      [&](size_t at, bool& is_valid) {
        hand_over();
        return cut_long(at, scratch, is_valid);
      });
  if (valid && take != nullptr) (*take)(scratch.tokens);
  return valid;
}

// What scratch.lattice has read.
void JiebaSegmenter::cut_batch(JiebaScratch& scratch) const {
  jieba::Lattice& lattice = scratch.lattice;
  lattice.find_words(dictionary_);
  if (mode_ == JiebaMode::kFull) {
    jieba::emit_all_words(dictionary_, scratch);
    return;
  }
  lattice.find_route();
  if (needs_hmm(mode_)) {
    scratch.final_segmenter.join_by_hmm(dictionary_, lattice);
  } else {
    jieba::join_letters(dictionary_, lattice);
  }
  if (mode_ == JiebaMode::kSearch || mode_ == JiebaMode::kSearchNoHmm) {
    jieba::emit_with_parts(scratch);
  } else {
    emit(lattice, scratch);
  }
}

// The block at scratch.text[at], or with all words the gap, which is too long for a batch. Returns where it ends.
size_t JiebaSegmenter::cut_long(size_t at, JiebaScratch& scratch, bool& valid) const {
  jieba::LongBlock block(dictionary_);
  const size_t end = block.read(scratch.text, at, valid);
  if (!valid) return end;
  if (end == at) return jieba::emit_long_gap(dictionary_, scratch, at, valid);
  if (mode_ == JiebaMode::kFull) {
    jieba::emit_all_words(dictionary_, block, scratch);
    return end;
  }
  block.find_route();
  if (needs_hmm(mode_)) {
    jieba::FinalSegmenter().join_by_hmm(dictionary_, block);  // its own, for its buffers become long too
  } else {
    jieba::join_letters(dictionary_, block);
  }
  if (mode_ == JiebaMode::kSearch || mode_ == JiebaMode::kSearchNoHmm) {
    jieba::emit_with_parts(block, scratch);
  } else {
    emit(block, scratch);
  }
  return end;
}

std::span<const JiebaToken> JiebaSegmenter::segment(std::string_view text, JiebaScratch& scratch) const {
  if (!cut(text, scratch, nullptr)) {
    repair_utf8(text, scratch.repaired);
    cut(scratch.repaired, scratch, nullptr);
  }
  return scratch.tokens;
}

void JiebaSegmenter::segment(std::string_view text, JiebaScratch& scratch, const std::function<void()>& begin,
                             const TakeTokens& take) const {
  begin();
  if (cut(text, scratch, &take)) return;
  repair_utf8(text, scratch.repaired);
  begin();
  cut(scratch.repaired, scratch, &take);
}

void JiebaSegmenter::tokenize(std::string_view text, JiebaScratch& scratch, TokenBuffer& out) const {
  segment(text, scratch);
  out.clear(1);
  for (const JiebaToken token : scratch.tokens) out.append(scratch.view(token));
}

}  // namespace neardup
