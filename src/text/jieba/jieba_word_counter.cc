#include "text/jieba/jieba_word_counter.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"

namespace neardup::jieba {
namespace {

constexpr uint32_t kHashed = uint32_t{1} << 31;

uint32_t hash_key(std::string_view text, uint32_t begin, uint32_t end) {
  return static_cast<uint32_t>(hash64(text.substr(begin, end - begin))) | kHashed;
}

}  // namespace

void WordCounter::collect(const JiebaDictionary& dictionary, std::string_view text, Lattice& lattice) {
  if (lattice.size() == 0) return;
  const Slot* slots = dictionary.tables().slots.data();
  const uint16_t* codes = lattice.codes();
  const uint32_t* pair_nodes = lattice.pair_nodes();
  const uint32_t* offsets = lattice.offsets();
  const uint64_t* starts = lattice.starts();
  make_room(lattice.size());
  CountedWord* to = collected_.data() + occurrences_;
  CountedWord* const batch = to;
  if (long_words_.size() < lattice.size() + 1) long_words_.resize(2 * (lattice.size() + 1));
  LongWord* long_word = long_words_.data();
  // Always written, kept if it is long enough: a branch would be unpredictable.
  const auto add = [&](size_t begin, size_t end) __attribute__((always_inline)) {
    *to = {pair_nodes[begin], offsets[begin], offsets[end], 0};
    *long_word = {static_cast<uint32_t>(to - batch), static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
    to += static_cast<size_t>(end - begin > 1);
    long_word += static_cast<size_t>(end - begin > 2);
  };
  size_t begin = 0;  // the first position begins a token
  uint64_t bits = starts[0] & (starts[0] - 1);
  for (size_t i = 0;;) {
    for (; bits != 0; bits &= bits - 1) {
      const size_t end = i * 64 + static_cast<size_t>(std::countr_zero(bits));
      add(begin, end);
      begin = end;
    }
    if (++i == lattice.bit_words()) break;
    bits = starts[i];
  }
  add(begin, lattice.size());
  for (const LongWord* word = long_words_.data(); word != long_word; ++word) {
    batch[word->number].key = descend(slots, codes, batch[word->number].key, word->begin, word->end);
  }
  for (CountedWord* word = batch; word != to; ++word) {
    if (word->key == 0) word->key = hash_key(text, word->begin, word->end);
  }
  occurrences_ = static_cast<size_t>(to - collected_.data());
}

void WordCounter::collect(const JiebaDictionary& dictionary, std::string_view text, const LongBlock& block) {
  const Slot* slots = dictionary.tables().slots.data();
  size_t tokens = 0;
  for (size_t i = 0; i < block.bit_words(); ++i) tokens += static_cast<size_t>(std::popcount(block.starts()[i]));
  make_room(tokens);
  for (size_t begin = 0; begin < block.size();) {
    size_t end = begin + 1;
    while (end < block.size() && (block.starts()[end / 64] >> (end % 64) & 1) == 0) ++end;
    if (end - begin > 1) {
      CountedWord word{block.pair_node(begin), block.offset(begin), block.offset(end), 0};
      word.key = descend(slots, block.codes(), word.key, begin, end);
      if (word.key == 0) word.key = hash_key(text, word.begin, word.end);
      collected_[occurrences_++] = word;
    }
    begin = end;
  }
}

void WordCounter::add(uint32_t node, std::string_view text, uint32_t begin, uint32_t end) {
  make_room(1);
  collected_[occurrences_++] = {node != 0 ? node : hash_key(text, begin, end), begin, end, 0};
}

// Room for this many more, and for the one after them that is always written.
void WordCounter::make_room(size_t occurrences) {
  const size_t room = occurrences_ + occurrences + 1;
  if (collected_.size() < room) collected_.resize(room + room / 2);
}

std::span<const CountedWord> WordCounter::count(std::string_view text) {
  const auto bits = std::max<int>(6, static_cast<int>(std::bit_width(2 * occurrences_)));
  const size_t mask = (size_t{1} << bits) - 1;
  if (cells_.size() <= mask) cells_.resize(mask + 1);
  std::fill_n(cells_.begin(), mask + 1, Cell{0, 0});
  Cell* cells = cells_.data();
  // The different words move to the front: no faster than they are read.
  CountedWord* words = collected_.data();
  const auto differ = [&](const CountedWord& a, const CountedWord& b) {
    return text.substr(a.begin, a.end - a.begin) != text.substr(b.begin, b.end - b.begin);
  };
  uint32_t count = 0;
  for (size_t i = 0; i < occurrences_; ++i) {
    const CountedWord word = words[i];
    // Fibonacci hashing: the upper bits of the product.
    size_t at = (word.key * uint64_t{0x9E3779B97F4A7C15} >> (64 - bits)) & mask;
    while (cells[at].key != 0 && (cells[at].key != word.key || (!is_node(word.key) && differ(words[cells[at].word], word)))) {
      at = (at + 1) & mask;
    }
    const bool is_new = cells[at].key == 0;
    words[count] = word;
    const uint32_t number = is_new ? count : cells[at].word;
    cells[at] = {word.key, number};
    count += static_cast<uint32_t>(is_new);
    ++words[number].count;
  }
  return {words, count};
}

}  // namespace neardup::jieba
