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
constexpr uint32_t kOrderHashMask = (1u << kOrderHashBits) - 1;
static_assert(kOrderHashBits + kAnchorHashBits <= 64);

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
      scratch.orders.resize(room);
      scratch.subs.resize(room);
      scratch.sub_ends.resize(room);
    }
    find_code_points();
    hash_sub_grams();
    hash_grams();
  }

  [[nodiscard]] uint32_t size() const noexcept { return grams_; }
  [[nodiscard]] uint32_t columns() const noexcept { return scratch_.columns[points_]; }
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

  // Calls visit(gram) for the first gram of each whole window, each once, ascending; returns whether there is a whole window. The first
  // gram so far is kept until it leaves the window or a later one is as small, which is rare; then the window is scanned again.
  template <typename Visit>
  bool for_each_minimum(uint32_t window, Visit visit) const {
    const uint32_t* const columns = scratch_.columns.data();
    const uint32_t* const orders = scratch_.orders.data();
    uint32_t end = 0;   // of the window: its last gram plus 1
    uint32_t best = 0;  // of the window's grams
    uint32_t best_order = 0;
    bool any = false;
    for (uint32_t begin = 0; begin < grams_; ++begin) {
      const uint32_t wanted = columns[begin] + window;
      const uint32_t last = best;
      uint32_t next = end;
      while (end < grams_ && columns[end] < wanted) ++end;
      if (columns[end] < wanted) return any;
      if (best < begin || !any) {
        best = begin;
        best_order = orders[begin];
        next = begin + 1;
      }
      for (; next < end; ++next) {
        const uint32_t order = orders[next];
        best = order <= best_order ? next : best;
        best_order = order <= best_order ? order : best_order;
      }
      if (!any || best != last) visit(best);
      any = true;
    }
    return any;
  }

  [[nodiscard]] uint32_t first() const noexcept {
    uint32_t first = 0;
    for (uint32_t i = 1; i < grams_; ++i) first = scratch_.orders[i] <= scratch_.orders[first] ? i : first;
    return first;
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

  // A sub-gram has at most kSubColumns code points, whose bytes make a number of 64 bits.
  static_assert(kSubColumns * 4 <= sizeof(uint64_t));
  void hash_sub_grams() noexcept {
    const uint32_t* const begins = scratch_.begins.data();
    const uint32_t* const columns = scratch_.columns.data();
    uint32_t end = 0;
    for (subs_ = 0; subs_ < points_; ++subs_) {
      const uint32_t wanted = columns[subs_] + kSubColumns;
      while (end < points_ && columns[end] < wanted) ++end;
      if (columns[end] < wanted) return;
      scratch_.sub_ends[subs_] = end;
      scratch_.subs[subs_] = static_cast<uint32_t>(mix64(number_of(begins[subs_], begins[end])) >> 32);
    }
  }
  [[nodiscard]] uint64_t number_of(uint32_t begin, uint32_t end) const noexcept {
    uint64_t number = 0;
    if (begin + sizeof number <= form_.size()) [[likely]] {
      std::memcpy(&number, form_.data() + begin, sizeof number);
      const uint32_t spare = 64 - 8 * (end - begin);
      return number << spare >> spare;
    }
    std::memcpy(&number, form_.data() + begin, end - begin);
    return number;
  }

  void hash_grams() noexcept {
    const uint32_t* const begins = scratch_.begins.data();
    const uint32_t* const columns = scratch_.columns.data();
    uint32_t end = 0;
    uint32_t sub_end = 0;  // of the sub-grams in the gram
    for (grams_ = 0; grams_ < points_; ++grams_) {
      const uint32_t wanted = columns[grams_] + shape_.gram;
      while (end < points_ && columns[end] < wanted) ++end;
      if (columns[end] < wanted) return;
      while (sub_end < subs_ && scratch_.sub_ends[sub_end] <= end) ++sub_end;
      const uint64_t hash = hash_of<6>(form_.data() + begins[grams_], begins[end] - begins[grams_]);
      scratch_.ends[grams_] = end;
      scratch_.hashes[grams_] = hash >> (64 - kAnchorHashBits);
      scratch_.orders[grams_] = kind_of(sub_end) << kOrderHashBits | (static_cast<uint32_t>(hash) & kOrderHashMask);
    }
  }

  // 0: the smallest sub-gram of the gram grams_ is the middle one; 1: the first or the last; 2: another. Grams too short for one: 0.
  [[nodiscard]] uint32_t kind_of(uint32_t sub_end) const noexcept {
    if (sub_end <= grams_ + 1) return 0;
    const uint32_t* const subs = scratch_.subs.data();
    const uint32_t last = sub_end - 1;
    uint32_t smallest = grams_;
    uint32_t smallest_hash = subs[grams_];
    for (uint32_t i = grams_ + 1; i < sub_end; ++i) {
      smallest = subs[i] < smallest_hash ? i : smallest;
      smallest_hash = subs[i] < smallest_hash ? subs[i] : smallest_hash;
    }
    if (smallest == grams_ + (last - grams_) / 2) return 0;
    return smallest == grams_ || smallest == last ? 1 : 2;
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
  uint32_t subs_ = 0;
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
    return;
  }
  const auto add = [&](uint32_t gram) { out.push_back(anchor_at(grams, gram)); };
  const uint32_t small_window = std::max(grams.columns() / kShortWindows, 1u);
  if (grams.columns() < kShortColumns && small_window < shape.window) {
    grams.for_each_minimum(small_window, add);
    // In forms of narrow and wide code points a first gram of a large window need not be that of a small one.
    const size_t small_anchors = out.size();
    grams.for_each_minimum(shape.window, add);
    const auto middle = out.begin() + static_cast<std::ptrdiff_t>(small_anchors);
    std::inplace_merge(out.begin(), middle, out.end(), [](const Anchor& x, const Anchor& y) { return x.begin < y.begin; });
    out.erase(std::unique(out.begin(), out.end()), out.end());
  } else {
    grams.for_each_minimum(shape.window, add);
  }
  if (out.empty()) add(grams.first());
}

void certain_anchors(std::string_view form, const AnchorShape& shape, AnchorScratch& scratch, std::vector<ClueAnchor>& out) {
  out.clear();
  const Grams grams(form, shape, scratch);
  grams.for_each_minimum(shape.window, [&](uint32_t gram) { out.push_back(clue_anchor_at(grams, gram)); });
}

void clue_grams(std::string_view form, const AnchorShape& shape, AnchorScratch& scratch, std::vector<ClueAnchor>& out) {
  out.clear();
  if (form.empty()) return;
  const Grams grams(form, shape, scratch);
  if (grams.size() == 0) out.push_back({whole_form_hash(form), 0, 0, 0});
  for (uint32_t gram = 0; gram < grams.size(); ++gram) out.push_back(clue_anchor_at(grams, gram));
}

}  // namespace neardup
