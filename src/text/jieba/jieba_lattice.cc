#include "text/jieba/jieba_lattice.h"

#include <algorithm>

#include "text/jieba/dictionary/jieba_format.h"
#include "text/utf8/utf8.h"

namespace neardup::jieba {
namespace {

constexpr size_t kBatch = 1024;  // positions: enough to overlap, few enough to stay in the nearest caches
constexpr size_t kPad = 2 * kernels::kJiebaSlack;

// Part of find_route(): a walk from right to left. Each step depends on the addition of the previous one, so two walks are interleaved.
struct Walk {
  size_t at;
  size_t pending;    // edges that are not after `at`
  uint32_t edge_at;  // of the last one of them
  double first = 0;  // the scores of the two positions after
  double second = 0;
};

}  // namespace

void Lattice::make_room(size_t positions) {
  if (codes_.size() >= positions + kPad) return;
  const size_t room = std::max(positions, codes_.size() * 2) + kPad;
  codes_.resize(room);
  offsets_.resize(room);
  alone_.resize(room);
  pairs_.resize(room);
  pair_nodes_.resize(room);
  prefixes_.resize(room);
  prefix_nodes_.resize(room);
  scores_.resize(room);
  lengths_.resize(room);
  single_.resize(room / 64 + 1);
  starts_.resize(room / 64 + 1);
}

size_t Lattice::read(const uint16_t* code_of, std::string_view text, size_t at, bool whole_gaps, bool& valid) {
  const auto read_quickly = longest_block_ < kBatch ? nullptr : kernels::kernels().jieba_read;
  const size_t batch = std::min(kBatch, longest_block_);
  text_ = text;
  valid = true;
  size_t n = 0;
  make_room(2 * kBatch);
  uint16_t* codes = codes_.data();
  uint32_t* offsets = offsets_.data();
  size_t room = codes_.size() - kPad;
  const auto is_end = [&](size_t k) { return codes[k] == 0 && (!whole_gaps || codes[k - 1] != 0); };
  while (at < text.size()) {
    if (n < batch && read_quickly != nullptr) {
      const auto done =
          read_quickly(text.data() + at, text.size() - at, static_cast<uint32_t>(at), code_of, batch - n, codes + n, offsets + n);
      at += done.read;
      n += done.positions;
      size_t end = batch;
      while (end < n && !is_end(end)) ++end;
      if (end < n) {
        n = end;
        at = offsets[n];
        break;
      }
      if (at == text.size()) break;
    }
    if (n >= longest_block_) {
      // Up to the long block, or nothing if the text begins with it.
      const size_t cut = last_cut(n, whole_gaps);
      if (cut < n) at = offsets[cut];
      n = cut;
      break;
    }
    if (n == room) {
      make_room(2 * n);
      codes = codes_.data();
      offsets = offsets_.data();
      room = codes_.size() - kPad;
    }
    size_t length = 1;
    uint16_t code = 0;
    const auto first = static_cast<uint8_t>(text[at]);
    const uint32_t four = text.size() - at >= 4 ? load_four(text.data() + at) : 0;
    if (first < 0x80) {
      code = code_of[first];
      length = first == '\r' && at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1;
    } else if (looks_like_three(four) && value_of_three(four) - JiebaDictionary::kFirstHan < JiebaDictionary::kHan) {
      code = code_of[value_of_three(four)];
      length = 3;
    } else {
      const Decoded decoded = decode_quickly(text, at);
      if (!decoded.valid) {
        valid = false;
        break;
      }
      length = decoded.length;
      // The last characters of a text are not followed by four readable bytes.
      code = decoded.code_point < 0x10000 ? code_of[decoded.code_point] : uint16_t{0};
    }
    codes[n] = code;
    if (n >= batch && is_end(n)) break;
    offsets[n] = static_cast<uint32_t>(at);
    ++n;
    at += length;
  }
  codes[n] = codes[n + 1] = 0;
  offsets[n] = static_cast<uint32_t>(at);
  size_ = n;
  return at;
}

// The last position at or before `positions` where the text may be cut, or 0; the character at `positions` is not known yet.
size_t Lattice::last_cut(size_t positions, bool whole_gaps) const {
  for (size_t k = positions; k > 0; --k) {
    const bool gap_before = codes_[k - 1] == 0;
    const bool gap_after = k < positions && codes_[k] == 0;
    if (whole_gaps ? k < positions && gap_before != gap_after : gap_before || gap_after) return k;
  }
  return 0;
}

void Lattice::find_words(const JiebaDictionary& dictionary) {
  const kernels::JiebaTrie& trie = dictionary.trie();
  const uint16_t* codes = codes_.data();
  const size_t longer = kernels::kernels().jieba_words(trie, codes, size_,
                                                       {.alone = alone_.data(),
                                                        .pairs = pairs_.data(),
                                                        .pair_nodes = pair_nodes_.data(),
                                                        .prefixes = prefixes_.data(),
                                                        .prefix_nodes = prefix_nodes_.data()});
  edges_.clear();
  for (size_t i = 0; i < longer; ++i) {
    const uint32_t at = prefixes_[i];
    Slot slot = trie.slots[prefix_nodes_[i]];
    for (uint32_t length = 3;; ++length) {
      if (value_of(slot) >= kFirstWord) {
        edges_.push_back({at, length, trie.weights[value_of(slot)]});
        alone_[at] = trie.first_weights[codes[at]];  // not unknown
      }
      if (base_of(slot) == kNoChildren) break;
      const uint32_t code = codes[at + length];
      const uint32_t node = base_of(slot) + code;
      if (trie.labels[node] != code) break;
      slot = trie.slots[node];
    }
  }
}

// A gap near the middle, or 0: every block begins with a score of exactly 0 after it, so the routes before and after a gap are independent.
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
