#include "text/jieba_full_mode.h"

#include <bit>
#include <limits>

#include "text/code_points.h"
#include "text/quick_utf8.h"

namespace neardup::jieba {
namespace {

using Kind = JiebaDictionary::Kind;
constexpr double kNoWord = -std::numeric_limits<double>::infinity();

// The text between two blocks: cut at every white space, which is a token too, as are the empty pieces around it.
void emit_gap(JiebaScratch& scratch, size_t begin, size_t end) {
  const uint32_t* offsets = scratch.lattice.offsets();
  uint32_t piece = offsets[begin];
  for (size_t k = begin; k < end; ++k) {
    if (!is_white_space(decode_quickly(scratch.text, offsets[k]).code_point)) continue;
    scratch.tokens.push_back({piece, offsets[k]});
    scratch.tokens.push_back({offsets[k], offsets[k + 1]});
    piece = offsets[k + 1];
  }
  scratch.tokens.push_back({piece, offsets[end]});
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

// One block; `edge` is the first one at or behind its beginning, and is moved on.
void emit_block(const JiebaDictionary& dictionary, JiebaScratch& scratch, size_t begin, size_t end, size_t& edge) {
  const Lattice& lattice = scratch.lattice;
  const uint32_t* offsets = lattice.offsets();
  EnglishBuffer english(scratch);
  size_t covered = begin;  // behind the last token
  for (size_t k = begin; k < end; ++k) {
    const Kind kind = dictionary.kinds()[lattice.codes()[k]];
    const bool alphanumeric = kind == Kind::kLetter || kind == Kind::kDigit;
    if (english.open() && !alphanumeric) english.flush();
    const size_t first_edge = edge;
    while (edge < lattice.edges().size() && lattice.edges()[edge].at == k) ++edge;
    const bool alone = dictionary.trie().first_weights[lattice.codes()[k]] != kNoWord;
    const bool pair = lattice.pair_weights()[k] != kNoWord;
    const size_t words = size_t{alone} + size_t{pair} + (edge - first_edge);
    if (words <= 1 && k >= covered) {
      const size_t length = edge > first_edge ? lattice.edges()[first_edge].length : pair ? 2 : 1;
      covered = k + length;
      if (alphanumeric) {
        english.add(offsets[k], offsets[covered]);
      } else {
        scratch.tokens.push_back({offsets[k], offsets[covered]});
      }
      continue;
    }
    if (pair) {
      scratch.tokens.push_back({offsets[k], offsets[k + 2]});
      covered = k + 2;
    }
    for (size_t i = first_edge; i < edge; ++i) {
      covered = k + lattice.edges()[i].length;
      scratch.tokens.push_back({offsets[k], offsets[covered]});
    }
  }
  english.flush();
}

// The words of two, then of three characters inside a token of more.
void emit_parts(JiebaScratch& scratch, size_t begin, size_t end, size_t& edge) {
  const Lattice& lattice = scratch.lattice;
  const uint32_t* offsets = lattice.offsets();
  for (size_t k = begin; k + 2 <= end; ++k) {
    if (lattice.pair_weights()[k] != kNoWord) scratch.tokens.push_back({offsets[k], offsets[k + 2]});
  }
  if (end - begin == 3) return;
  const std::vector<Edge>& edges = lattice.edges();
  while (edge < edges.size() && edges[edge].at < begin) ++edge;
  for (; edge < edges.size() && edges[edge].at + 3 <= end; ++edge) {
    if (edges[edge].length == 3) scratch.tokens.push_back({offsets[edges[edge].at], offsets[edges[edge].at + 3]});
  }
}

}  // namespace

void emit_all_words(const JiebaDictionary& dictionary, JiebaScratch& scratch) {
  const Lattice& lattice = scratch.lattice;
  size_t edge = 0;
  for (size_t begin = 0; begin < lattice.size();) {
    const bool gap = lattice.codes()[begin] == 0;
    size_t end = begin + 1;
    while (end < lattice.size() && (lattice.codes()[end] == 0) == gap) ++end;
    if (gap) {
      emit_gap(scratch, begin, end);
    } else {
      emit_block(dictionary, scratch, begin, end, edge);
    }
    begin = end;
  }
}

void emit_with_parts(JiebaScratch& scratch) {
  Lattice& lattice = scratch.lattice;
  const uint32_t* offsets = lattice.offsets();
  size_t edge = 0;
  for (size_t begin = 0; begin < lattice.size();) {
    size_t end = begin + 1;
    while (end < lattice.size() && (lattice.starts()[end / 64] >> (end % 64) & 1) == 0) ++end;
    if (end - begin > 2) emit_parts(scratch, begin, end, edge);
    scratch.tokens.push_back({offsets[begin], offsets[end]});
    begin = end;
  }
}

}  // namespace neardup::jieba
