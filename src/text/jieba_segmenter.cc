#include "text/jieba_segmenter.h"

#include <bit>

#include "neardup/error.h"
#include "neardup/sketcher.h"
#include "text/jieba_full_mode.h"
#include "text/utf8.h"

namespace neardup {
namespace {

// Every bit of starts() begins a token, which ends where the next one begins.
void emit(JiebaScratch& scratch) {
  jieba::Lattice& lattice = scratch.lattice;
  const uint32_t* offsets = lattice.offsets();
  const uint64_t* starts = lattice.starts();
  size_t count = 0;
  for (size_t i = 0; i < lattice.bit_words(); ++i) count += static_cast<size_t>(std::popcount(starts[i]));
  const size_t before = scratch.tokens.size();
  scratch.tokens.resize(before + count);
  JiebaToken* token = scratch.tokens.data() + before;
  for (size_t i = 0; i < lattice.bit_words(); ++i) {
    for (uint64_t bits = starts[i]; bits != 0; bits &= bits - 1) {
      (token++)->begin = offsets[i * 64 + static_cast<size_t>(std::countr_zero(bits))];
    }
  }
  for (size_t i = before; i + 1 < scratch.tokens.size(); ++i) scratch.tokens[i].end = scratch.tokens[i + 1].begin;
  if (count > 0) scratch.tokens.back().end = offsets[lattice.size()];
}

bool needs_hmm(JiebaMode mode) {
  return mode == JiebaMode::kAccurate || mode == JiebaMode::kSearch;
}

}  // namespace

JiebaSegmenter::JiebaSegmenter(const JiebaDictionary& dictionary, JiebaMode mode) : dictionary_(dictionary), mode_(mode) {
  if (needs_hmm(mode) && !dictionary.has_hmm())
    throw Error(ErrorCode::kUsage, "the dictionary has no HMM tables, so it can cut only with HMM off: build it with --hmm");
}

bool JiebaSegmenter::cut(std::string_view text, JiebaScratch& scratch) const {
  scratch.text = text;
  scratch.tokens.clear();
  scratch.glued.clear();
  jieba::Lattice& lattice = scratch.lattice;
  for (size_t at = 0; at < text.size();) {
    bool valid = true;
    at = lattice.read(dictionary_, text, at, mode_ == JiebaMode::kFull, valid);
    if (!valid) return false;
    lattice.find_words(dictionary_);
    if (mode_ == JiebaMode::kFull) {
      jieba::emit_all_words(dictionary_, scratch);
      continue;
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
      emit(scratch);
    }
  }
  return true;
}

std::span<const JiebaToken> JiebaSegmenter::segment(std::string_view text, JiebaScratch& scratch) const {
  if (!cut(text, scratch)) {
    repair_utf8(text, scratch.repaired);
    cut(scratch.repaired, scratch);
  }
  return scratch.tokens;
}

void JiebaSegmenter::tokenize(std::string_view text, JiebaScratch& scratch, TokenBuffer& out) const {
  segment(text, scratch);
  out.clear(1);
  for (const JiebaToken token : scratch.tokens) out.append(scratch.view(token));
}

}  // namespace neardup
