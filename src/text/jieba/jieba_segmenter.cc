#include "text/jieba/jieba_segmenter.h"

#include <algorithm>
#include <bit>

#include "neardup/error.h"
#include "text/jieba/dictionary/jieba_format.h"
#include "text/tokens/token_buffer.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

using jieba::Edge;
using jieba::FinalSegmenter;
using jieba::Lattice;
using jieba::LongBlock;
using Kind = JiebaDictionary::Kind;

bool needs_hmm(JiebaMode mode) {
  return mode == JiebaMode::kAccurate || mode == JiebaMode::kSearch;
}

// The accurate modes: the tokens are the text, cut.

// Every bit of starts() begins a token, which ends where the next one begins.
template <typename Block>
void emit_tokens(const Block& block, JiebaScratch& scratch) {
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

// All words (cut_all). Tokens overlap, and those between blocks may be empty.

// The text between two blocks, in bytes: cut at every white space, which is a token too, as are the empty pieces around it.
void emit_gap(JiebaScratch& scratch, size_t begin, size_t end) {
  auto piece = static_cast<uint32_t>(begin);
  for (size_t at = begin; at < end;) {
    const Decoded decoded = decode_quickly(scratch.text, at);
    const bool both = scratch.text.substr(at, 2) == "\r\n";
    const auto here = static_cast<uint32_t>(at);
    at += both ? 2 : decoded.length;
    if (!is_white_space(decoded.code_point)) continue;
    scratch.tokens.push_back({piece, here});
    scratch.tokens.push_back({here, static_cast<uint32_t>(at)});
    piece = static_cast<uint32_t>(at);
  }
  scratch.tokens.push_back({piece, static_cast<uint32_t>(end)});
}

// jieba's buffer of letters and digits, a range of the text while its pieces are adjacent.
class EnglishBuffer {
 public:
  explicit EnglishBuffer(JiebaScratch& scratch) : scratch_(scratch) {}
  [[nodiscard]] bool open() const { return open_; }
  void add(uint32_t begin, uint32_t end) {
    if (!open_) {
      range_ = {begin, end};
      glued_ = false;
      open_ = true;
    } else if (!glued_ && range_.end == begin) {
      range_.end = end;
    } else {
      const auto size = static_cast<uint32_t>(scratch_.text.size());
      if (!glued_) {
        const auto at = static_cast<uint32_t>(scratch_.glued.size());
        scratch_.glued += scratch_.text.substr(range_.begin, range_.end - range_.begin);
        range_ = {size + at, size + static_cast<uint32_t>(scratch_.glued.size())};
        glued_ = true;
      }
      scratch_.glued += scratch_.text.substr(begin, end - begin);
      range_.end += end - begin;
    }
  }
  void flush() {
    if (open_) scratch_.tokens.push_back(range_);
    open_ = false;
  }

 private:
  JiebaScratch& scratch_;
  JiebaToken range_{};
  bool open_ = false;
  bool glued_ = false;
};

// One block. longer_words(k, lengths) fills in the lengths of the words of two characters and more at k, ascending; k ascends.
template <typename Block, typename LongerWords>
void emit_block(const JiebaDictionary& dictionary, JiebaScratch& scratch, const Block& block, size_t begin, size_t end,
                LongerWords longer_words) {
  EnglishBuffer english(scratch);
  std::vector<uint32_t>& lengths = scratch.lengths;
  size_t covered = begin;  // the end of the last token
  for (size_t k = begin; k < end; ++k) {
    const Kind kind = dictionary.kinds()[block.codes()[k]];
    const bool alphanumeric = JiebaDictionary::is_alphanumeric(kind);
    if (english.open() && !alphanumeric) english.flush();
    longer_words(k, lengths);
    const bool alone = dictionary.trie().first_weights[block.codes()[k]] != jieba::kNoWord;
    if (size_t{alone} + lengths.size() <= 1 && k >= covered) {
      covered = k + (lengths.empty() ? 1 : lengths.front());
      if (alphanumeric) {
        english.add(block.offset(k), block.offset(covered));
      } else {
        scratch.tokens.push_back({block.offset(k), block.offset(covered)});
      }
      continue;
    }
    for (const uint32_t length : lengths) {
      covered = k + length;
      scratch.tokens.push_back({block.offset(k), block.offset(covered)});
    }
  }
  english.flush();
}

// The tokens of one batch; batches do not end inside gaps. Needs Lattice::find_words().
void emit_all_words(const JiebaDictionary& dictionary, JiebaScratch& scratch) {
  const Lattice& lattice = scratch.lattice;
  size_t edge = 0;
  const auto longer_words = [&](size_t k, std::vector<uint32_t>& lengths) {
    lengths.clear();
    if (lattice.pair_is_word(k)) lengths.push_back(2);
    for (; edge < lattice.edges().size() && lattice.edges()[edge].at == k; ++edge) lengths.push_back(lattice.edges()[edge].length);
  };
  for (size_t begin = 0; begin < lattice.size();) {
    const bool gap = lattice.codes()[begin] == 0;
    size_t end = begin + 1;
    while (end < lattice.size() && (lattice.codes()[end] == 0) == gap) ++end;
    if (gap) {
      emit_gap(scratch, lattice.offset(begin), lattice.offset(end));
    } else {
      emit_block(dictionary, scratch, lattice, begin, end, longer_words);
    }
    begin = end;
  }
}

// The tokens of a block that is too long for a batch.
void emit_all_words(const JiebaDictionary& dictionary, const LongBlock& block, JiebaScratch& scratch) {
  emit_block(dictionary, scratch, block, 0, block.size(),
             [&](size_t k, std::vector<uint32_t>& lengths) { block.longer_words(k, lengths); });
}

// The tokens of a gap that is too long for a batch; it begins at `at`, in the text. Returns where it ends. Sets `valid` to false at
// malformed UTF-8.
size_t emit_long_gap(const JiebaDictionary& dictionary, JiebaScratch& scratch, size_t at, bool& valid) {
  size_t end = at;
  while (end < scratch.text.size()) {
    const Decoded decoded = decode_quickly(scratch.text, end);
    valid = decoded.valid;
    if (!valid) return end;
    if (decoded.code_point < 0x10000 && dictionary.block_codes()[decoded.code_point] != 0) break;
    end += decoded.length;
  }
  emit_gap(scratch, at, end);
  return end;
}

// The tokens with the parts of long ones (cut_for_search).

// The words of two characters inside a token.
template <typename Block>
void emit_pairs(JiebaScratch& scratch, const Block& block, size_t begin, size_t end) {
  for (size_t k = begin; k + 2 <= end; ++k) {
    if (block.pair_is_word(k)) scratch.tokens.push_back({block.offset(k), block.offset(k + 2)});
  }
}

// The words of three characters inside a token; `edge` is the first one at or after its beginning, and is moved on.
void emit_triples(JiebaScratch& scratch, size_t begin, size_t end, size_t& edge) {
  const Lattice& lattice = scratch.lattice;
  const std::vector<Edge>& edges = lattice.edges();
  while (edge < edges.size() && edges[edge].at < begin) ++edge;
  for (; edge < edges.size() && edges[edge].at + 3 <= end; ++edge) {
    if (edges[edge].length == 3) scratch.tokens.push_back({lattice.offset(edges[edge].at), lattice.offset(edges[edge].at + 3)});
  }
}

// Each token after its parts: words of two characters, then of three, if it has more characters than they.
template <typename Block, typename Triples>
void emit_tokens_with_parts(JiebaScratch& scratch, const Block& block, Triples emit_triples) {
  for (size_t begin = 0; begin < block.size();) {
    size_t end = begin + 1;
    while (end < block.size() && (block.starts()[end / 64] >> (end % 64) & 1) == 0) ++end;
    if (end - begin > 2) emit_pairs(scratch, block, begin, end);
    if (end - begin > 3) emit_triples(begin, end);
    scratch.tokens.push_back({block.offset(begin), block.offset(end)});
    begin = end;
  }
}

// The tokens of one batch. Needs Lattice::starts().
void emit_with_parts(JiebaScratch& scratch) {
  size_t edge = 0;
  emit_tokens_with_parts(scratch, scratch.lattice, [&](size_t begin, size_t end) { emit_triples(scratch, begin, end, edge); });
}

// The tokens of a block that is too long for a batch. Needs LongBlock::starts().
void emit_with_parts(const LongBlock& block, JiebaScratch& scratch) {
  std::vector<uint32_t>& lengths = scratch.lengths;
  emit_tokens_with_parts(scratch, block, [&](size_t begin, size_t end) {
    for (size_t k = begin; k + 3 <= end; ++k) {
      block.longer_words(k, lengths);
      if (std::ranges::find(lengths, uint32_t{3}) != lengths.end()) scratch.tokens.push_back({block.offset(k), block.offset(k + 3)});
    }
  });
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
      dictionary_.block_codes(), text, scratch.lattice, mode_ == JiebaMode::kFull,
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

// The batch in scratch.lattice.
void JiebaSegmenter::cut_batch(JiebaScratch& scratch) const {
  Lattice& lattice = scratch.lattice;
  lattice.find_words(dictionary_);
  if (mode_ == JiebaMode::kFull) {
    emit_all_words(dictionary_, scratch);
    return;
  }
  lattice.find_route();
  if (needs_hmm(mode_)) {
    scratch.final_segmenter.join_by_hmm(dictionary_, lattice);
  } else {
    jieba::join_letters(dictionary_, lattice);
  }
  if (mode_ == JiebaMode::kSearch || mode_ == JiebaMode::kSearchNoHmm) {
    emit_with_parts(scratch);
  } else {
    emit_tokens(lattice, scratch);
  }
}

// The block at scratch.text[at], or with all words the gap, which is too long for a batch. Returns where it ends.
size_t JiebaSegmenter::cut_long(size_t at, JiebaScratch& scratch, bool& valid) const {
  LongBlock block(dictionary_);
  const size_t end = block.read(scratch.text, at, valid);
  if (!valid) return end;
  if (end == at) return emit_long_gap(dictionary_, scratch, at, valid);
  if (mode_ == JiebaMode::kFull) {
    emit_all_words(dictionary_, block, scratch);
    return end;
  }
  block.find_route();
  if (needs_hmm(mode_)) {
    FinalSegmenter().join_by_hmm(dictionary_, block);  // a temporary one, because its buffers grow too
  } else {
    jieba::join_letters(dictionary_, block);
  }
  if (mode_ == JiebaMode::kSearch || mode_ == JiebaMode::kSearchNoHmm) {
    emit_with_parts(block, scratch);
  } else {
    emit_tokens(block, scratch);
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
