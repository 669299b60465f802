#include "text/jieba/jieba_full_mode.h"

#include <algorithm>
#include <limits>

#include "text/utf8/code_points.h"
#include "text/utf8/quick_utf8.h"

namespace neardup::jieba {
namespace {

using Kind = JiebaDictionary::Kind;
constexpr double kNoWord = -std::numeric_limits<double>::infinity();

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

// jieba's buffer of letters and digits, a range of the text as long as its pieces follow each other.
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
    const bool alphanumeric = kind == Kind::kLetter || kind == Kind::kDigit;
    if (english.open() && !alphanumeric) english.flush();
    longer_words(k, lengths);
    const bool alone = dictionary.trie().first_weights[block.codes()[k]] != kNoWord;
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

}  // namespace

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

void emit_all_words(const JiebaDictionary& dictionary, const LongBlock& block, JiebaScratch& scratch) {
  emit_block(dictionary, scratch, block, 0, block.size(),
             [&](size_t k, std::vector<uint32_t>& lengths) { block.longer_words(k, lengths); });
}

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

void emit_with_parts(JiebaScratch& scratch) {
  size_t edge = 0;
  emit_tokens_with_parts(scratch, scratch.lattice, [&](size_t begin, size_t end) { emit_triples(scratch, begin, end, edge); });
}

void emit_with_parts(const LongBlock& block, JiebaScratch& scratch) {
  std::vector<uint32_t>& lengths = scratch.lengths;
  emit_tokens_with_parts(scratch, block, [&](size_t begin, size_t end) {
    for (size_t k = begin; k + 3 <= end; ++k) {
      block.longer_words(k, lengths);
      if (std::ranges::find(lengths, uint32_t{3}) != lengths.end()) scratch.tokens.push_back({block.offset(k), block.offset(k + 3)});
    }
  });
}

}  // namespace neardup::jieba
