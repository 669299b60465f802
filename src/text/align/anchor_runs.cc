#include "text/align/anchor_runs.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "base/hash.h"

namespace neardup {
namespace {

// The table takes the lowest bits.
constexpr int kSampleShift = 48;

struct AnchorPair {
  uint32_t a;
  uint32_t b;
};

// Calls visit(position, hash) for each window of a range that is looked at. The hash is a polynomial that rolls along.
template <typename Visit>
void for_each_window(std::span<const uint32_t> sequence, uint32_t begin, uint32_t end, AnchorWindow window, const Visit& visit) {
  const uint32_t width = window.width;
  if (end - begin < width) return;
  constexpr uint64_t kBase = 0x9E3779B97F4A7C15u;
  uint64_t power = 1;  // of the element that leaves the window
  for (uint32_t i = 1; i < width; ++i) power *= kBase;
  uint64_t rolling = 0;
  for (uint32_t i = begin; i < begin + width - 1; ++i) rolling = rolling * kBase + mix64(sequence[i]);
  for (uint32_t i = begin + width - 1; i < end; ++i) {
    rolling = rolling * kBase + mix64(sequence[i]);
    const uint32_t first = i + 1 - width;
    if (const uint64_t hash = mix64(rolling); (hash >> kSampleShift & window.mask) == 0) visit(first, hash);
    rolling -= power * mix64(sequence[first]);
  }
}

// The occurrences of windows. Windows share a row if their hashes are equal, so pairs are checked element by element afterwards.
class WindowTable {
 public:
  explicit WindowTable(size_t windows) : rows_(std::bit_ceil(std::max<size_t>(windows * 2, 16))), mask_(rows_.size() - 1) {}

  void add_a(uint32_t at, uint64_t hash) noexcept {
    Row& row = row_of(hash);
    row.hash = hash;
    if (row.in_a < kMaxAnchorOccurrences) row.at[row.in_a] = at;
    if (row.in_a <= kMaxAnchorOccurrences) ++row.in_a;
  }
  void add_b(uint64_t hash) noexcept {
    Row& row = row_of(hash);
    if (row.in_a > 0 && row.in_b <= kMaxAnchorOccurrences) ++row.in_b;
  }
  // The partner in a of the next occurrence in b; false unless the window is an anchor.
  bool partner(uint64_t hash, uint32_t& at) noexcept {
    Row& row = row_of(hash);
    if (row.in_a == 0 || row.in_a != row.in_b || row.in_a > kMaxAnchorOccurrences) return false;
    at = row.at[row.paired++];
    return true;
  }

 private:
  struct Row {
    uint64_t hash = 0;
    uint32_t at[kMaxAnchorOccurrences] = {};
    uint8_t in_a = 0;
    uint8_t in_b = 0;
    uint8_t paired = 0;
  };
  // A row of this hash, or a free one.
  Row& row_of(uint64_t hash) noexcept {
    size_t slot = hash & mask_;
    while (rows_[slot].in_a > 0 && rows_[slot].hash != hash) slot = (slot + 1) & mask_;
    return rows_[slot];
  }

  std::vector<Row> rows_;
  size_t mask_;
};

// The longest chain of pairs that ascend in a and in b; `pairs` ascend in b.
std::vector<AnchorPair> longest_chain(const std::vector<AnchorPair>& pairs) {
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> ends;                         // the pair with the smallest a that ends a chain of each length
  std::vector<uint32_t> before(pairs.size(), kNone);  // in the chain
  for (uint32_t i = 0; i < pairs.size(); ++i) {
    auto place = ends.end();
    // Most pairs continue the longest chain.
    if (!ends.empty() && pairs[ends.back()].a >= pairs[i].a) {
      place = std::lower_bound(ends.begin(), ends.end(), pairs[i].a, [&](uint32_t end, uint32_t a) { return pairs[end].a < a; });
    }
    if (place != ends.begin()) before[i] = *(place - 1);
    if (place == ends.end()) {
      ends.push_back(i);
    } else {
      *place = i;
    }
  }
  std::vector<AnchorPair> chain(ends.size());
  uint32_t at = ends.empty() ? kNone : ends.back();
  for (size_t i = ends.size(); i-- > 0; at = before[at]) chain[i] = pairs[at];
  return chain;
}

}  // namespace

std::vector<CommonRun> anchor_runs(std::span<const uint32_t> a, std::span<const uint32_t> b, const SequenceGap& gap, AnchorWindow window) {
  const uint32_t width = window.width;
  std::vector<CommonRun> runs;
  if (gap.size_a() < width || gap.size_b() < width) return runs;
  size_t windows = 0;
  if (window.mask == 0) {
    windows = gap.size_a() - width + size_t{1};
  } else {
    for_each_window(a, gap.a_begin, gap.a_end, window, [&](uint32_t, uint64_t) { ++windows; });
  }
  WindowTable table(windows);
  for_each_window(a, gap.a_begin, gap.a_end, window, [&](uint32_t at, uint64_t hash) { table.add_a(at, hash); });
  for_each_window(b, gap.b_begin, gap.b_end, window, [&](uint32_t, uint64_t hash) { table.add_b(hash); });
  std::vector<AnchorPair> pairs;
  for_each_window(b, gap.b_begin, gap.b_end, window, [&](uint32_t at, uint64_t hash) {
    uint32_t partner = 0;
    if (table.partner(hash, partner) && std::equal(b.begin() + at, b.begin() + at + width, a.begin() + partner)) {
      pairs.push_back({partner, at});
    }
  });

  // Each pair of the chain grows to both sides as far as the run before it and the end of the gap allow.
  uint32_t a_free = gap.a_begin;
  uint32_t b_free = gap.b_begin;
  for (const AnchorPair& pair : longest_chain(pairs)) {
    if (pair.a < a_free || pair.b < b_free) continue;  // inside the last run, or crossed by it
    CommonRun run{pair.a, pair.b, width};
    while (run.a > a_free && run.b > b_free && a[run.a - 1] == b[run.b - 1]) --run.a, --run.b, ++run.length;
    while (run.a + run.length < gap.a_end && run.b + run.length < gap.b_end && a[run.a + run.length] == b[run.b + run.length]) ++run.length;
    a_free = run.a + run.length;
    b_free = run.b + run.length;
    runs.push_back(run);
  }
  return runs;
}

}  // namespace neardup
