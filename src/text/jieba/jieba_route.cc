// The most probable way through a lattice.
#include <algorithm>
#include <limits>

#include "text/jieba/jieba_lattice.h"

namespace neardup::jieba {
namespace {

constexpr double kNoWord = -std::numeric_limits<double>::infinity();

// A walk from right to left. What it carries from position to position makes it wait for every addition, so two walk at a time.
struct Walk {
  size_t at;
  size_t pending;    // edges that are not after `at`
  uint32_t edge_at;  // of the last one of them
  double first = 0;  // the scores of the two positions after
  double second = 0;
};

}  // namespace

// A gap near the middle, or 0: every block begins with a score of exactly 0 after it, so the ways before and after a gap are
// independent.
size_t Lattice::find_middle() const {
  const size_t half = size_ / 2;
  for (size_t k = half; k > half / 2; --k) {
    if (codes_[k] == 0) return k;
  }
  return 0;
}

void Lattice::find_route() {
  const uint16_t* codes = codes_.data();
  const double* alone = alone_.data();
  const double* pairs = pairs_.data();
  const Edge* edges = edges_.data();
  double* scores = scores_.data();
  uint32_t* lengths = lengths_.data();
  const auto walk_from = [&](size_t position, size_t pending) {
    scores[position] = scores[position + 1] = 0;
    return Walk{.at = position, .pending = pending, .edge_at = pending > 0 ? edges[pending - 1].at : ~uint32_t{0}};
  };
  const auto step = [&](Walk & walk) __attribute__((always_inline)) {
    const size_t k = --walk.at;
    double best = kNoWord;
    uint32_t length = 2;
    if (walk.edge_at == k) {
      do {
        const Edge& edge = edges[--walk.pending];
        const double score = edge.weight + scores[k + edge.length];
        const bool better = score > best;
        best = better ? score : best;
        length = better ? edge.length : length;
        walk.edge_at = walk.pending > 0 ? edges[walk.pending - 1].at : ~uint32_t{0};
      } while (walk.edge_at == k);
    }
    const double pair = pairs[k] + walk.second;
    length = pair > best ? 2 : length;
    best = std::max(best, pair);
    const double one = alone[k] + walk.first;
    length = one > best ? 1 : length;
    best = std::max(best, one);
    best = codes[k] == 0 ? 0 : best;
    scores[k] = best;
    lengths[k] = length;
    walk.second = walk.first;
    walk.first = best;
  };
  const size_t middle = find_middle();
  const auto before = static_cast<size_t>(
      std::lower_bound(edges_.begin(), edges_.end(), middle, [](const Edge& edge, size_t position) { return edge.at < position; }) -
      edges_.begin());
  Walk right = walk_from(size_, edges_.size());
  Walk left = walk_from(middle, before);
  while (right.at > middle && left.at > 0) {
    step(right);
    step(left);
  }
  while (right.at > middle) step(right);
  while (left.at > 0) step(left);
  mark_starts(middle);
}

void Lattice::mark_starts(size_t middle) {
  const uint32_t* lengths = lengths_.data();
  const uint16_t* codes = codes_.data();
  uint64_t* starts = starts_.data();
  uint64_t* single = single_.data();
  std::fill_n(starts, bit_words(), 0);
  std::fill_n(single, bit_words(), 0);
  const auto step = [&](size_t& k) {
    starts[k / 64] |= uint64_t{1} << (k % 64);
    single[k / 64] |= static_cast<uint64_t>((lengths[k] == 1) & (codes[k] != 0)) << (k % 64);
    k += lengths[k];
  };
  size_t left = 0;
  size_t right = middle;
  while (left < middle && right < size_) {
    step(left);
    step(right);
  }
  while (left < middle) step(left);
  while (right < size_) step(right);
}

}  // namespace neardup::jieba
