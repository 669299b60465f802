// BitOrder: permutes the bits of a word as a plan says, and back. Immutable.
//
// A byte at a time through tables, 8 or 16 look-ups a word, the same on every processor. Distances do not change.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace neardup {

template <typename Word>
class BitOrder {
 public:
  /// order[place] is the bit moved to that place: a permutation of all bits of the word, or empty for no change.
  explicit BitOrder(std::span<const uint8_t> order) {
    if (order.empty()) return;
    forward_.resize(sizeof(Word));
    inverse_.resize(sizeof(Word));
    for (size_t place = 0; place < order.size(); ++place) {
      enter(forward_, order[place], static_cast<uint32_t>(place));
      enter(inverse_, static_cast<uint32_t>(place), order[place]);
    }
  }

  [[nodiscard]] Word reorder(Word word) const noexcept { return map(forward_, word); }
  [[nodiscard]] Word restore(Word word) const noexcept { return map(inverse_, word); }

 private:
  using Tables = std::vector<std::array<Word, 256>>;  // what each value of each byte becomes; empty: itself

  static void enter(Tables& tables, uint32_t from, uint32_t to) {
    for (uint32_t value = 0; value < 256; ++value) {
      if ((value >> (from % 8) & 1) != 0) tables[from / 8][value] |= Word{1} << to;
    }
  }
  static Word map(const Tables& tables, Word word) noexcept {
    if (tables.empty()) return word;
    Word mapped = 0;
    for (size_t byte = 0; byte < sizeof(Word); ++byte) mapped |= tables[byte][static_cast<uint8_t>(word >> (8 * byte))];
    return mapped;
  }

  Tables forward_;
  Tables inverse_;
};

}  // namespace neardup
