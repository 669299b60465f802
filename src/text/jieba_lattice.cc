#include "text/jieba_lattice.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "text/quick_utf8.h"

namespace neardup::jieba {
namespace {

constexpr size_t kBatch = 1024;  // positions: enough to overlap, few enough to stay in the nearest caches
constexpr size_t kPad = 2;
constexpr double kNoWord = -std::numeric_limits<double>::infinity();

}  // namespace

void Lattice::make_room(size_t positions) {
  if (codes_.size() >= positions + kPad) return;
  const size_t room = std::max(positions, codes_.size() * 2) + kPad;
  codes_.resize(room);
  offsets_.resize(room);
  pairs_.resize(room);
  pair_nodes_.resize(room);
  prefixes_.resize(room);
  scores_.resize(room);
  lengths_.resize(room);
  single_.resize(room / 64 + 1);
  starts_.resize(room / 64 + 1);
}

size_t Lattice::read(const JiebaDictionary& dictionary, std::string_view text, size_t at, bool whole_gaps, bool& valid) {
  const uint16_t* han = dictionary.han_codes();
  const uint16_t* ascii = dictionary.ascii_codes();
  text_ = text;
  valid = true;
  size_t n = 0;
  make_room(2 * kBatch);
  uint16_t* codes = codes_.data();
  uint32_t* offsets = offsets_.data();
  size_t room = codes_.size() - kPad;
  while (at < text.size()) {
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
    const char32_t han_index = value_of_three(four) - JiebaDictionary::kFirstHan;
    if (looks_like_three(four) && han_index < JiebaDictionary::kHan) {
      code = han[han_index];
      length = 3;
    } else if (first < 0x80) {
      code = ascii[first];
      length = first == '\r' && at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1;
    } else {
      const Decoded decoded = decode_quickly(text, at);
      if (!decoded.valid) {
        valid = false;
        break;
      }
      length = decoded.length;
      // The last characters of a text have no four bytes to look at.
      const char32_t index = decoded.code_point - JiebaDictionary::kFirstHan;
      code = index < JiebaDictionary::kHan ? han[index] : uint16_t{0};
    }
    if (code == 0 && n >= kBatch && (!whole_gaps || codes[n - 1] != 0)) break;
    codes[n] = code;
    offsets[n] = static_cast<uint32_t>(at);
    ++n;
    at += length;
  }
  codes[n] = codes[n + 1] = 0;
  offsets[n] = static_cast<uint32_t>(at);
  size_ = n;
  return at;
}

void Lattice::find_words(const JiebaDictionary& dictionary) {
  const JiebaDictionary::First* first = dictionary.first();
  const Slot* slots = dictionary.tables().slots.data();
  const double* weights = dictionary.edge_weights();
  const uint16_t* codes = codes_.data();
  double* pairs = pairs_.data();
  uint32_t* pair_nodes = pair_nodes_.data();
  Prefix* prefixes = prefixes_.data();
  size_t count = 0;
  for (size_t k = 0; k < size_; ++k) {
    const uint32_t next = codes[k + 1];
    const uint32_t node = first[codes[k]].base + next;
    const Slot slot = slots[node];
    // Masks, because compilers make branches of choices here, and a wrong guess is found out only when the memory has answered.
    const uint32_t found = 0 - static_cast<uint32_t>(label_of(slot) == next);
    pairs[k] = weights[value_of(slot) & found];
    pair_nodes[k] = node & found;
    prefixes[count] = {static_cast<uint32_t>(k), base_of(slot)};
    count += found & static_cast<uint32_t>(base_of(slot) != kNoChildren);
  }
  // The third character decides about most of them; again without a branch.
  size_t longer = 0;
  for (size_t i = 0; i < count; ++i) {
    const Prefix prefix = prefixes[i];
    const uint32_t code = codes[prefix.at + 2];
    prefixes[longer] = prefix;
    longer += static_cast<size_t>(label_of(slots[prefix.base + code]) == code);
  }
  edges_.clear();
  for (size_t i = 0; i < longer; ++i) {
    uint32_t base = prefixes[i].base;
    for (uint32_t at = prefixes[i].at, length = 3;; ++length) {
      const uint32_t code = codes[at + length - 1];
      const Slot slot = slots[base + code];
      if (label_of(slot) != code) break;
      if (value_of(slot) >= kFirstWord) edges_.push_back({at, length, weights[value_of(slot)]});
      base = base_of(slot);
      if (base == kNoChildren) break;
    }
  }
}

void Lattice::find_route(const JiebaDictionary& dictionary) {
  const JiebaDictionary::First* first = dictionary.first();
  const double unknown = dictionary.unknown_weight();
  const uint16_t* codes = codes_.data();
  const double* pairs = pairs_.data();
  double* scores = scores_.data();
  uint32_t* lengths = lengths_.data();
  size_t pending = edges_.size();
  uint32_t edge_at = pending > 0 ? edges_[pending - 1].at : ~uint32_t{0};
  uint64_t single = 0;
  double next = 0;  // the score of the position behind, and of the one behind that
  double after_next = 0;
  scores[size_] = scores[size_ + 1] = 0;
  for (size_t k = size_; k-- > 0;) {
    const uint16_t code = codes[k];
    double best = kNoWord;
    uint32_t length = 2;
    if (edge_at == k) {
      do {
        const Edge& edge = edges_[--pending];
        const double score = edge.weight + scores[k + edge.length];
        const bool better = score > best;
        best = better ? score : best;
        length = better ? edge.length : length;
        edge_at = pending > 0 ? edges_[pending - 1].at : ~uint32_t{0};
      } while (edge_at == k);
    }
    const double pair = pairs[k] + after_next;
    const bool better = pair > best;
    best = better ? pair : best;
    length = better ? 2 : length;
    const double alone = first[code].weight + next;
    const bool is_alone = alone > best;
    best = is_alone ? alone : best;
    length = is_alone ? 1 : length;
    if (best == kNoWord) {
      best = unknown + next;
      length = 1;
    }
    // Every block begins with a score of exactly 0 behind it.
    best = std::bit_cast<double>(std::bit_cast<uint64_t>(best) & (code == 0 ? 0 : ~uint64_t{0}));
    scores[k] = best;
    lengths[k] = length;
    single = single << 1 | static_cast<uint64_t>((length == 1) & (code != 0));
    if (k % 64 == 0) single_[k / 64] = single;
    after_next = next;
    next = best;
  }
  mark_starts();
}

void Lattice::mark_starts() {
  const uint32_t* lengths = lengths_.data();
  uint64_t* starts = starts_.data();
  const size_t words = bit_words();
  // Words that no position of this batch is in.
  if (size_ % 64 == 0) single_[words - 1] = 0;
  std::fill_n(starts, words, 0);
  for (size_t k = 0; k < size_; k += lengths[k]) starts[k / 64] |= uint64_t{1} << (k % 64);
}

}  // namespace neardup::jieba
