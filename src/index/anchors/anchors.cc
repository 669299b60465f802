#include "index/anchors/anchors.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/hash.h"
#include "text/clue/clue_form.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr char kWholeFormMark = 0;                  // a form has no such byte
constexpr size_t kMaxKeptPoints = size_t{1} << 20;  // a scratch returns the memory of longer forms: 20 bytes for each byte
constexpr uint32_t kCellMask = (1u << kContextCellBits) - 1;

// hash64(), with the commonest length as a constant, for which the compiler makes short code without branches.
template <size_t kUsual>
uint64_t hash_of(const char* bytes, size_t count) noexcept {
  return count == kUsual ? hash64({bytes, kUsual}) : hash64({bytes, count});
}

// The code points of a form and its grams, in the arrays of a scratch.
class Grams {
 public:
  Grams(std::string_view form, const AnchorShape& shape, AnchorScratch& scratch) : form_(form), shape_(shape), scratch_(scratch) {
    const size_t room = form.size() + 1;
    if (scratch.begins.size() > kMaxKeptPoints && room <= kMaxKeptPoints) scratch = {};
    if (scratch.begins.size() < room) {
      scratch.begins.resize(room);
      scratch.columns.resize(room);
      scratch.ends.resize(room);
      scratch.hashes.resize(room);
    }
    find_code_points();
    hash_grams();
  }

  [[nodiscard]] uint32_t size() const noexcept { return grams_; }
  [[nodiscard]] uint64_t hash(uint32_t gram) const noexcept { return scratch_.hashes[gram]; }
  [[nodiscard]] uint32_t begin(uint32_t gram) const noexcept { return scratch_.begins[gram]; }

  struct Context {
    uint32_t bits;
    uint32_t known;
  };
  [[nodiscard]] Context context(uint32_t gram) const noexcept {
    Context context{0, 0};
    uint32_t edge = gram;
    for (uint32_t cell = 0; cell < kContextCells / 2; ++cell) {
      const uint32_t from = left_of(edge);
      add_cell(cell, from, edge, context);
      edge = from;
    }
    edge = scratch_.ends[gram];
    for (uint32_t cell = kContextCells / 2; cell < kContextCells; ++cell) {
      const uint32_t to = right_of(edge);
      add_cell(cell, edge, to, context);
      edge = to;
    }
    return context;
  }

  // Calls visit(gram) for the smallest gram of each whole window, each once, ascending; returns whether there is a whole window. The
  // smallest gram so far is kept until it leaves the window or a later one is as small, which is rare; then the window is scanned again.
  template <typename Visit>
  bool for_each_minimum(Visit visit) const {
    const uint32_t* const columns = scratch_.columns.data();
    const uint64_t* const hashes = scratch_.hashes.data();
    uint32_t end = 0;   // of the window: its last gram plus 1
    uint32_t best = 0;  // of the window's grams
    uint64_t best_hash = 0;
    bool any = false;
    for (uint32_t begin = 0; begin < grams_; ++begin) {
      const uint32_t wanted = columns[begin] + shape_.window;
      const uint32_t last = best;
      uint32_t next = end;
      while (end < grams_ && columns[end] < wanted) ++end;
      if (columns[end] < wanted) return any;
      if (best < begin || !any) {
        best = begin;
        best_hash = hashes[begin];
        next = begin + 1;
      }
      for (; next < end; ++next) {
        const uint64_t hash = hashes[next];
        best = hash <= best_hash ? next : best;
        best_hash = hash <= best_hash ? hash : best_hash;
      }
      if (!any || best != last) visit(best);
      any = true;
    }
    return any;
  }

  [[nodiscard]] uint32_t smallest() const noexcept {
    uint32_t minimum = 0;
    for (uint32_t i = 1; i < grams_; ++i) minimum = hash(i) <= hash(minimum) ? i : minimum;
    return minimum;
  }

 private:
  void find_code_points() noexcept {
    const std::array<WordClass, 0x10000>& classes = word_classes();
    uint32_t* const begins = scratch_.begins.data();
    uint32_t* const columns = scratch_.columns.data();
    uint32_t count = 0;
    uint32_t column = 0;
    const auto add = [&](size_t begin, uint32_t wide) {
      begins[count] = static_cast<uint32_t>(begin);
      columns[count] = column;
      ++count;
      column += wide;
    };
    for (size_t at = 0; at < form_.size();) {
      if (starts_long_ascii(form_, at)) {
        for (uint32_t i = 0; i < 16; ++i) {
          begins[count + i] = static_cast<uint32_t>(at) + i;
          columns[count + i] = column + i;
        }
        count += 16;
        column += 16;
        at += 16;
        continue;
      }
      const Decoded decoded = decode_quickly(form_, at);
      add(at, columns_of(decoded.code_point, classes));
      at += decoded.length;
    }
    add(form_.size(), 0);
    points_ = count - 1;
  }

  void hash_grams() noexcept {
    const uint32_t* const begins = scratch_.begins.data();
    const uint32_t* const columns = scratch_.columns.data();
    uint32_t end = 0;
    for (grams_ = 0; grams_ < points_; ++grams_) {
      const uint32_t wanted = columns[grams_] + shape_.gram;
      while (end < points_ && columns[end] < wanted) ++end;
      if (columns[end] < wanted) return;
      scratch_.ends[grams_] = end;
      scratch_.hashes[grams_] = hash_of<8>(form_.data() + begins[grams_], begins[end] - begins[grams_]) >> (64 - kAnchorHashBits);
    }
  }

  // The cell that ends, or begins, at the code point `edge`: its other end.
  [[nodiscard]] uint32_t left_of(uint32_t edge) const noexcept {
    uint32_t from = edge;
    while (from > 0 && scratch_.columns[edge] - scratch_.columns[from] < kContextColumns) --from;
    return from;
  }
  [[nodiscard]] uint32_t right_of(uint32_t edge) const noexcept {
    uint32_t to = edge;
    while (to < points_ && scratch_.columns[to] - scratch_.columns[edge] < kContextColumns) ++to;
    return to;
  }

  void add_cell(uint32_t cell, uint32_t from, uint32_t to, Context& context) const noexcept {
    const uint32_t shift = cell * kContextCellBits;
    const uint64_t hash = hash_of<4>(form_.data() + scratch_.begins[from], scratch_.begins[to] - scratch_.begins[from]);
    context.bits |= static_cast<uint32_t>(hash >> (64 - kContextCellBits)) << shift;
    if (scratch_.columns[to] - scratch_.columns[from] >= kContextColumns) context.known |= kCellMask << shift;
  }

  const std::string_view form_;
  const AnchorShape shape_;
  AnchorScratch& scratch_;
  uint32_t points_ = 0;
  uint32_t grams_ = 0;
};

// The one anchor of a form that is shorter than a gram.
uint64_t whole_form_hash(std::string_view form) noexcept {
  XXH3_state_t state;
  XXH3_INITSTATE(&state);
  XXH3_64bits_reset(&state);
  XXH3_64bits_update(&state, form.data(), form.size());
  XXH3_64bits_update(&state, &kWholeFormMark, 1);
  return XXH3_64bits_digest(&state) >> (64 - kAnchorHashBits);
}

Anchor anchor_at(const Grams& grams, uint32_t gram) noexcept {
  return {grams.hash(gram), grams.begin(gram), static_cast<uint16_t>(grams.context(gram).bits)};
}

ClueAnchor clue_anchor_at(const Grams& grams, uint32_t gram) noexcept {
  const Grams::Context context = grams.context(gram);
  return {grams.hash(gram), grams.begin(gram), static_cast<uint16_t>(context.bits), static_cast<uint16_t>(context.known)};
}

}  // namespace

void text_anchors(std::string_view form, const AnchorShape& shape, AnchorScratch& scratch, std::vector<Anchor>& out) {
  out.clear();
  if (form.empty()) return;
  const Grams grams(form, shape, scratch);
  if (grams.size() == 0) {
    out.push_back({whole_form_hash(form), 0, 0});
  } else if (grams.size() < kShortGrams) {
    for (uint32_t gram = 0; gram < grams.size(); ++gram) out.push_back(anchor_at(grams, gram));
  } else if (!grams.for_each_minimum([&](uint32_t gram) { out.push_back(anchor_at(grams, gram)); })) {
    out.push_back(anchor_at(grams, grams.smallest()));
  }
}

void certain_anchors(std::string_view form, const AnchorShape& shape, AnchorScratch& scratch, std::vector<ClueAnchor>& out) {
  out.clear();
  const Grams grams(form, shape, scratch);
  grams.for_each_minimum([&](uint32_t gram) { out.push_back(clue_anchor_at(grams, gram)); });
}

void clue_grams(std::string_view form, const AnchorShape& shape, AnchorScratch& scratch, std::vector<ClueAnchor>& out) {
  out.clear();
  if (form.empty()) return;
  const Grams grams(form, shape, scratch);
  if (grams.size() == 0) out.push_back({whole_form_hash(form), 0, 0, 0});
  for (uint32_t gram = 0; gram < grams.size(); ++gram) out.push_back(clue_anchor_at(grams, gram));
}

}  // namespace neardup
