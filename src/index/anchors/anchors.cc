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
constexpr size_t kMaxKeptPoints = size_t{1} << 20;  // a scratch returns the memory of longer forms: 16 bytes for each byte
constexpr uint32_t kCellMask = (1u << kContextCellBits) - 1;

// hash64(), with the commonest lengths as constants, for which the compiler makes short code without branches.
template <size_t kUsual, size_t kNextUsual>
uint64_t hash_of(const char* bytes, size_t count) noexcept {
  if (count == kUsual) return hash64({bytes, kUsual});
  return count == kNextUsual ? hash64({bytes, kNextUsual}) : hash64({bytes, count});
}
// Of six narrow ASCII characters or three wide ones of three bytes.
uint64_t gram_hash(const char* bytes, size_t count) noexcept {
  return hash_of<6, 9>(bytes, count);
}

constexpr uint32_t kOrderHashMask = (1u << kOrderHashBits) - 1;
static_assert(kOrderHashBits + kAnchorHashBits <= 64);

uint32_t order_of(uint32_t kind, uint64_t hash) noexcept {
  return kind << kOrderHashBits | (static_cast<uint32_t>(hash) & kOrderHashMask);
}

// 31 bits, because signed numbers are compared faster, of the bytes of a sub-gram as a number.
int32_t sub_hash(uint64_t number) noexcept {
  return static_cast<int32_t>(number * 0x9E37'79B9'7F4A'7C15u >> 33);
}

// The kinds of grams, from the hashes of their sub-grams: 0, the middle one is the smallest; 1, the first or the last is; 2, another one.
uint32_t kind_of(const int32_t* subs, uint32_t count) noexcept {
  if (count < 2) return 0;
  uint32_t smallest = 0;
  for (uint32_t i = 1; i < count; ++i) smallest = subs[i] < subs[smallest] ? i : smallest;
  if (smallest == (count - 1) / 2) return 0;
  return smallest == 0 || smallest == count - 1 ? 1 : 2;
}
// The same for five and three sub-grams, without branches, so that compilers use vectors.
uint32_t kind_of_five(const int32_t* s) noexcept {
  const int open = (s[2] < s[0]) & (s[2] < s[1]) & (s[2] <= s[3]) & (s[2] <= s[4]);
  const int first = (s[0] <= s[1]) & (s[0] <= s[2]) & (s[0] <= s[3]) & (s[0] <= s[4]);
  const int last = (s[4] < s[0]) & (s[4] < s[1]) & (s[4] < s[2]) & (s[4] < s[3]);
  return static_cast<uint32_t>(2 - 2 * open - (first | last));
}
uint32_t kind_of_three(const int32_t* s) noexcept {
  return static_cast<uint32_t>(1 - ((s[1] < s[0]) & (s[1] <= s[2])));
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
      scratch.subs.resize(room);
      scratch.orders.resize(room);
    }
    find_code_points();
    hash_sub_grams();
    order_grams();
  }

  [[nodiscard]] uint32_t size() const noexcept { return grams_; }
  [[nodiscard]] uint32_t columns() const noexcept { return scratch_.columns[points_]; }
  [[nodiscard]] uint64_t hash(uint32_t gram) const noexcept {
    const uint32_t end = scratch_.begins[right_of(gram, shape_.gram)];
    return gram_hash(form_.data() + begin(gram), end - begin(gram)) >> (64 - kAnchorHashBits);
  }
  [[nodiscard]] uint32_t begin(uint32_t gram) const noexcept { return scratch_.begins[gram]; }

  struct Context {
    uint32_t bits;
    uint32_t known;
  };
  [[nodiscard]] Context context(uint32_t gram) const noexcept {
    Context context{0, 0};
    uint32_t edge = gram;
    for (uint32_t cell = 0; cell < kContextCells / 2; ++cell) {
      const uint32_t from = left_of(edge, kContextColumns);
      add_cell(cell, from, edge, context);
      edge = from;
    }
    edge = right_of(gram, shape_.gram);
    for (uint32_t cell = kContextCells / 2; cell < kContextCells; ++cell) {
      const uint32_t to = right_of(edge, kContextColumns);
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

  // A sub-gram is a wide code point, or a narrow one and the next; its bytes make a number of 64 bits.
  static_assert(kSubColumns == 2);
  [[nodiscard]] uint32_t sub_end(uint32_t sub) const noexcept { return sub + 3 - (scratch_.columns[sub + 1] - scratch_.columns[sub]); }
  void hash_sub_grams() noexcept {
    int32_t* const subs = scratch_.subs.data();
    const uint32_t* const begins = scratch_.begins.data();
    for (subs_ = 0; subs_ < points_; ++subs_) {
      const uint32_t end = sub_end(subs_);
      if (end > points_) return;
      subs[subs_] = sub_hash(number_of(begins[subs_], begins[end]));
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

  void order_grams() noexcept {
    const uint32_t* const begins = scratch_.begins.data();
    const uint32_t* const columns = scratch_.columns.data();
    const int32_t* const subs = scratch_.subs.data();
    uint32_t* const orders = scratch_.orders.data();
    uint32_t end = 0;
    uint32_t subs_end = 0;  // of the sub-grams in the gram
    for (grams_ = 0; grams_ < points_; ++grams_) {
      while (const uint32_t points = order_some()) grams_ += points;
      end = std::max(end, grams_);
      const uint32_t wanted = columns[grams_] + shape_.gram;
      while (end < points_ && columns[end] < wanted) ++end;
      if (columns[end] < wanted) return;
      subs_end = std::max(subs_end, grams_);
      while (subs_end < subs_ && sub_end(subs_end) <= end) ++subs_end;
      const uint64_t hash = gram_hash(form_.data() + begins[grams_], begins[end] - begins[grams_]);
      orders[grams_] = order_of(kind_of(subs + grams_, subs_end - grams_), hash);
    }
  }

  // The next sixteen grams at once, where all code points are ASCII or all are wide and have three bytes. Returns their number, 0 if they
  // are others.
  uint32_t order_some() noexcept {
    constexpr uint32_t kGrams = 16;
    constexpr uint32_t kNarrow = kGrams + 5;
    constexpr uint32_t kWide = kGrams + 2;
    if (shape_.gram != 6) return 0;
    const char* const bytes = form_.data() + scratch_.begins[grams_];
    const int32_t* const subs = scratch_.subs.data() + grams_;
    uint32_t* const orders = scratch_.orders.data() + grams_;
    std::array<uint32_t, kGrams> kinds;
    if (points_ - grams_ < kWide) return 0;
    if (lengths_are(kWide, 2, 3)) {
      for (uint32_t i = 0; i < kGrams; ++i) kinds[i] = kind_of_three(subs + i);
      for (uint32_t i = 0; i < kGrams; ++i) orders[i] = order_of(kinds[i], hash64({bytes + 3 * size_t{i}, 9}));
      return kGrams;
    }
    if (points_ - grams_ < kNarrow || !lengths_are(kNarrow, 1, 1)) return 0;
    for (uint32_t i = 0; i < kGrams; ++i) kinds[i] = kind_of_five(subs + i);
    for (uint32_t i = 0; i < kGrams; ++i) orders[i] = order_of(kinds[i], hash64({bytes + i, 6}));
    return kGrams;
  }
  // Whether the next code points have so many columns and bytes each: these are the least, or the most, that they can have.
  [[nodiscard]] bool lengths_are(uint32_t points, uint32_t columns, uint32_t bytes) const noexcept {
    return scratch_.columns[grams_ + points] - scratch_.columns[grams_] == points * columns &&
           scratch_.begins[grams_ + points] - scratch_.begins[grams_] == points * bytes;
  }

  // The other end of the shortest run with so many columns that ends, or begins, at the code point `edge`. Mostly all of
  // its code points are narrow, or all are wide.
  [[nodiscard]] uint32_t left_of(uint32_t edge, uint32_t columns) const noexcept {
    const uint32_t* const before = scratch_.columns.data();
    if (edge >= columns && before[edge] - before[edge - columns] == columns) return edge - columns;
    if (edge >= columns / 2 && before[edge] - before[edge - columns / 2] == columns) return edge - columns / 2;
    uint32_t from = edge;
    while (from > 0 && before[edge] - before[from] < columns) --from;
    return from;
  }
  [[nodiscard]] uint32_t right_of(uint32_t edge, uint32_t columns) const noexcept {
    const uint32_t* const before = scratch_.columns.data();
    if (points_ - edge >= columns && before[edge + columns] - before[edge] == columns) return edge + columns;
    if (points_ - edge >= columns / 2 && before[edge + columns / 2] - before[edge] == columns) return edge + columns / 2;
    uint32_t to = edge;
    while (to < points_ && before[to] - before[edge] < columns) ++to;
    return to;
  }

  void add_cell(uint32_t cell, uint32_t from, uint32_t to, Context& context) const noexcept {
    const uint32_t shift = cell * kContextCellBits;
    const uint64_t hash = hash_of<4, 6>(form_.data() + scratch_.begins[from], scratch_.begins[to] - scratch_.begins[from]);
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
